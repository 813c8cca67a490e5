package store_test

import (
	"runtime/metrics"
	"time"
)

const (
	// What opening an index may take, or asking it one question, the answer
	// included.
	maxTime      = time.Second
	maxAllocated = 64 << 20
	// A trial that is not over by then never will be.
	hung = time.Minute
)

// effort is the most time and memory that a step took.
type effort struct {
	took    time.Duration
	longest string // the step
	bytes   uint64 // allocated, whether they were freed or not
	largest string
}

func (e *effort) add(f effort) {
	if f.took > e.took {
		e.took, e.longest = f.took, f.longest
	}
	if f.bytes > e.bytes {
		e.bytes, e.largest = f.bytes, f.largest
	}
}

// A meter measures steps, each between start and stop.
type meter struct {
	most  effort
	begin time.Time
	bytes uint64
}

func (m *meter) start() { m.begin, m.bytes = time.Now(), allocated() }

func (m *meter) stop(step string) {
	m.most.add(effort{time.Since(m.begin), step, allocated() - m.bytes, step})
}

// allocated is what was allocated since the process began. Unlike
// runtime.ReadMemStats it does not stop the world, and knows of small objects
// some pages late.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
