package sessiongen

// omp and OpenClaw grew out of pi: their rows are pi's, below heads of their own.

func ompBegin(s *session) list {
	return append(list{obj("type", "title", "v", 1, "title", "", "updatedAt", iso(s.clock), "pad", "")}, piBegin(s)...)
}
