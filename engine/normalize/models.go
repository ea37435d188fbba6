package normalize

import "github.com/trajmap/trajmap/engine/value"

// models counts the models that events name.
type models struct {
	ids    ids
	counts []int
}

func (m *models) reset() {
	m.ids.reset()
	m.counts = m.counts[:0]
}

func (m *models) count(model []byte) {
	n, fresh := m.ids.add(model)
	if fresh {
		m.counts = append(m.counts, 0)
	}
	m.counts[n]++
}

// most is the model named most often, of several the smallest in the order of
// UTF-16; nil when no event names one.
func (m *models) most() []byte {
	if len(m.counts) == 0 {
		return nil
	}
	best := int32(0)
	for i := int32(1); int(i) < len(m.counts); i++ {
		if m.counts[i] > m.counts[best] || m.counts[i] == m.counts[best] && m.before(i, best) {
			best = i
		}
	}
	return m.ids.get(best)
}

func (m *models) before(a, b int32) bool {
	return value.CompareUTF16(m.decoded(a), m.decoded(b)) < 0
}

func (m *models) decoded(n int32) string {
	return string(value.AppendDecoded(nil, m.ids.get(n)))
}
