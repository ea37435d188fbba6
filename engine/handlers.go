package engine

// The handlers that mappings can name.
import (
	_ "github.com/trajmap/trajmap/engine/handler/agentkv"
	_ "github.com/trajmap/trajmap/engine/handler/fxlog"
	_ "github.com/trajmap/trajmap/engine/handler/langgraph"
	_ "github.com/trajmap/trajmap/engine/handler/sqlite"
)
