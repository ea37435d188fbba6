package read

// Hazard is a property of a session that makes it unsafe to carry to another
// harness as it is. Codes are those of the portability gate.
type Hazard struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
	Lines []int  `json:"lines,omitempty"` // the first few, 1-based
	// Verdict is the mapping's own, "refuse" or "never", where it is stricter than
	// what the gate does about the code in general. It makes an entry of its own.
	Verdict string `json:"verdict,omitempty"`
}

// unreadable is the hazard of files that belong to the session and cannot be read.
const unreadable = "unreadable_part"

// maxLines is how many lines a hazard names.
const maxLines = 10

type hazards []Hazard

func (h *hazards) note(code, verdict string, line int) {
	for i := range *h {
		if z := &(*h)[i]; z.Code == code && z.Verdict == verdict {
			z.Count++
			if line > 0 && len(z.Lines) < maxLines {
				z.Lines = append(z.Lines, line)
			}
			return
		}
	}
	z := Hazard{Code: code, Count: 1, Verdict: verdict}
	if line > 0 {
		z.Lines = []int{line}
	}
	*h = append(*h, z)
}
