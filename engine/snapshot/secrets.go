package snapshot

import (
	"bytes"
	"strings"

	"github.com/trajmap/trajmap/engine/value"
)

// secretNames are members that programs keep credentials under, in small letters
// and without what parts their words.
var secretNames = map[string]bool{
	"apikey": true, "xapikey": true, "secret": true, "secrets": true, "clientsecret": true, "secretkey": true, "secretregistry": true,
	"password": true, "passwd": true, "passphrase": true, "credential": true, "credentials": true, "authorization": true,
	"accesstoken": true, "refreshtoken": true, "authtoken": true, "idtoken": true, "bearertoken": true, "sessiontoken": true,
	"privatekey": true, "encryptionkey": true, "blobencryptionkey": true, "awsaccesskeyid": true, "awssecretaccesskey": true,
}

// withoutSecrets puts null in the place of what a JSON document holds under such
// names, and leaves every other byte. It gives how many values that were.
func withoutSecrets(data []byte) ([]byte, int) {
	var doc value.Doc
	if doc.Parse(data) != nil {
		return data, 0
	}
	var found [][2]int
	hidden(doc.Root(), &found)
	if len(found) == 0 {
		return data, 0
	}
	var out bytes.Buffer
	at := 0
	for _, span := range found {
		out.Write(data[at:span[0]])
		out.WriteString("null")
		at = span[1]
	}
	out.Write(data[at:])
	return out.Bytes(), len(found)
}

// hidden notes where secrets stand, in order.
func hidden(v value.Value, found *[][2]int) {
	switch v.Kind() {
	case value.Object:
		for name, member := range v.Members() {
			if secretNames[plain(name.String())] && !empty(member) {
				*found = append(*found, [2]int{member.Offset(), member.Offset() + len(member.Raw())})
				continue
			}
			hidden(member, found)
		}
	case value.Array:
		for item := range v.Items() {
			hidden(item, found)
		}
	}
}

func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// empty reports whether there is nothing to hide in a value.
func empty(v value.Value) bool {
	switch v.Kind() {
	case value.String:
		return len(v.Body()) == 0
	case value.Object, value.Array:
		return v.Len() == 0
	}
	return true
}
