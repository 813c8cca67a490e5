package python

import (
	"context"
	"reflect"
	"testing"

	"brick/scan/facts"
	"brick/scan/resolve"
)

// bindOne binds a unit as the only one, and checks that encoding keeps it.
func bindOne(t *testing.T, u *resolve.Unit) {
	t.Helper()
	data, err := resolve.Encode(u)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "a.py"
	m := newModules([]string{"a.py"}, nil)
	emit := func(u *resolve.Unit) (file *facts.File) {
		p := resolve.NewProgram(rules{m}, []*resolve.Unit{u})
		err := p.Emit(context.Background(), "python", &describe{modules: m}, func(f *facts.File) error { file = f; return nil },
			func(path, reason string) { t.Errorf("%s: %s", path, reason) })
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	back, err := resolve.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	back.Path = "a.py"
	if a, b := emit(u), emit(back); !reflect.DeepEqual(a, b) {
		t.Errorf("what was kept gives other facts:\n%+v\n%+v", a, b)
	}
}
