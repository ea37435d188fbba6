// Package normalize turns the events of one session into trajectory-v1 records
// and into rows of the canonical view, to the byte as the contract defines both.
//
// A session goes by twice. In the first pass a [Planner] sees every event and
// keeps 16 bytes of it, and the ids of calls: enough to name calls, to pair
// results with them wherever they stand, and to give every record its time. In
// the second pass an [Emitter] sees the same events again, now for their
// contents, and hands finished records to a [Sink]. So memory grows with the
// number of events, never with their bytes.
//
// Text travels in the form of package value, from the source's literal to the
// output's without being decoded. Buffers belong to the Planner and are used
// again after Reset: in steady state a record costs no allocation.
package normalize
