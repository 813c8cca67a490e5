package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"brick/internal/test/testbuild"
	"brick/internal/test/testenv"
)

const pageSize = 4096

// TestDamage damages an index at random, opens it and asks it: each answer is
// the one that the undamaged index gives, or an error that says what is wrong.
// BRICK_DAMAGE_TRIALS is the number of trials, BRICK_DAMAGE_SEED the seed, and
// BRICK_DAMAGE_FUNCTIONS the size of a generated model that is damaged instead
// of bbolt's; 37,000 are 100 MB.
func TestDamage(t *testing.T) {
	trials := 2000
	if testenv.Race() {
		trials = 400
	}
	trials = testenv.Int(t, "BRICK_DAMAGE_TRIALS", trials)
	seed := testenv.Int(t, "BRICK_DAMAGE_SEED", 1)
	l, d := damageLab(t, damageModel(t, testenv.Int(t, "BRICK_DAMAGE_FUNCTIONS", 0), seed))
	outcomes := map[string]*outcome{}
	for i := range trials {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		kind := damages[i%len(damages)]
		late := kind.late && r.IntN(4) == 0
		x := kind.damage(t, d, r)
		questions := append(l.some(r), l.aimed(t, d, r, x.blocks)...)
		got := l.trial(t, fmt.Sprintf("trial %d: %s", i, kind.name), d.subject(x, late, questions))
		if outcomes[kind.name] == nil {
			outcomes[kind.name] = &outcome{}
		}
		outcomes[kind.name].add(got)
	}
	// What an undo left out would have made other trials easier.
	if err := checkFile(d.path, d.whole); err != nil {
		t.Error(err)
	}
	var all outcome
	for _, kind := range damages {
		if o := outcomes[kind.name]; o != nil {
			t.Logf("%-50s %v", kind.name, o)
			all.add(*o)
		}
	}
	t.Logf("all: %v", &all)
	t.Logf("most time %v: %s", l.most.took, l.most.longest)
	t.Logf("most memory %d bytes: %s", l.most.bytes, l.most.largest)
}

// TestManifestOfAnotherModel asks an index that has the manifest of another
// model a question that needs little else.
func TestManifestOfAnotherModel(t *testing.T) {
	l, d := damageLab(t, bboltModel(t))
	q := l.question(t, "brick_uncalled", `{"limit":0}`)
	x := d.edit(t, func(_ []*value, manifest *value) { manifest.data = d.others[0].manifest.data })
	l.trial(t, "the manifest of another model's index", d.subject(x, false, []question{q}))
}

// FuzzDamage does the same with any bytes.
func FuzzDamage(f *testing.F) {
	dir := f.TempDir()
	path := testbuild.File(f, dir, []byte(smallModel))
	whole := readFile(f, path)
	l := newLab(f, path)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(whole[:2*pageSize])
	f.Add([]byte(smallModel))
	fuzzed := filepath.Join(dir, "fuzzed.idx")
	if err := os.WriteFile(fuzzed, nil, 0o666); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, damaged []byte) {
		if err := overwrite(fuzzed, damaged); err != nil {
			t.Fatal(err)
		}
		l.trial(t, "fuzz", subject{path: fuzzed, questions: l.questions})
	})
}

// damageLab makes an index of a model, a lab that knows it, and a damager of a
// copy of it.
func damageLab(t testing.TB, model []byte) (*lab, *damager) {
	t.Helper()
	dir := t.TempDir()
	good := damageIndex(t, dir, model)
	whole := readFile(t, good)
	path := filepath.Join(dir, "damaged.idx")
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Logf("a model of %d bytes, an index of %d", len(model), len(whole))
	return newLab(t, good), newDamager(t, dir, path, whole, twins(t, model))
}

// outcome counts what came of trials.
type outcome struct{ trials, refused, wrong, right int }

func (o *outcome) add(p outcome) {
	o.trials += p.trials
	o.refused += p.refused
	o.wrong += p.wrong
	o.right += p.right
}

func (o *outcome) String() string {
	return fmt.Sprintf("%d trials: %d refused, %d with errors, %d unharmed", o.trials, o.refused, o.wrong, o.right)
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
