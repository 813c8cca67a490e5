package query

import (
	"bytes"
	"encoding/hex"
)

var reload = &Tool{
	Name:  "brick_reload",
	Title: "Look for a new index now",
	Description: "Looks now whether the index file was replaced (it happens by itself too), and says the old and new digest. It " +
		"changes nothing.",
	OutputSchema: schema("reload"),
	run: func(q *question, _ Arguments) error {
		now, before := IdentityOf(q.ix), q.options.Before
		q.key("replaced")
		q.boolean(before != nil && !bytes.Equal(before.Index, now.Index))
		digest := func(name string, d []byte) {
			q.key(name)
			if d == nil {
				q.null()
				return
			}
			q.text(hex.EncodeToString(d))
		}
		if before == nil {
			before = &Identity{}
		}
		digest("old_index_digest", before.Index)
		digest("new_index_digest", now.Index)
		digest("old_model_digest", before.Model)
		digest("new_model_digest", now.Model)
		return nil
	},
}
