// Package mockllm is a model that says what a script has it say.
//
// It answers in the dialects of Anthropic's messages, OpenAI's chat completions
// and responses, Gemini's generateContent and Vercel's gateway, streamed or not, so that a real
// coding agent runs and resumes sessions without a model and without a network.
// Every request is kept, to be looked at afterwards.
package mockllm

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// Model is the name of the only model.
const Model = "mock-model"

// Request is what a program asked.
type Request struct {
	Dialect history.Dialect
	Path    string
	Body    []byte
}

// Server is the model. It is an [http.Handler], for any number of programs at
// once.
type Server struct {
	script   Script
	mu       sync.Mutex
	requests []Request
	serial   int
}

// New makes a server that follows a script.
func New(script Script) *Server { return &Server{script: script} }

// Take gives what the model was asked since the last call, in order of arrival.
func (s *Server) Take() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.requests
	s.requests = nil
	return taken
}

// maxBody is more than any request of a test holds.
const maxBody = 64 << 20

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	dialect := history.DialectOf(r.URL.Path)
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		reply(w, object{"object": "list", "data": []object{{"id": Model, "object": "model", "type": "model", "display_name": Model}}})
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		reply(w, object{"input_tokens": 100})
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		reply(w, object{"totalTokens": 100})
	case r.Method == http.MethodPost && dialect != history.None:
		s.ask(w, Request{Dialect: dialect, Path: r.URL.Path, Body: body}, r.Header.Get("ai-language-model-streaming") == "true")
	default:
		http.NotFound(w, r)
	}
}

// ask answers a request, as a stream if its body says so, or else stream does.
func (s *Server) ask(w http.ResponseWriter, r Request, stream bool) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	entries, err := history.FromRequest(r.Dialect, r.Body)
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	step := s.script.step(entries)
	if step.Fail != 0 {
		fail(w, step.Fail, "as scripted")
		return
	}
	var asked struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}
	if json.Unmarshal(r.Body, &asked) != nil || asked.Model == "" {
		asked.Model = Model
	}
	a := &answer{w: w, step: step, model: asked.Model, stream: asked.Stream || stream, id: s.id}
	switch r.Dialect {
	case history.Anthropic:
		a.anthropic()
	case history.Chat:
		a.chat()
	case history.Responses:
		a.responses()
	case history.Gemini:
		a.stream = strings.Contains(r.Path, "stream")
		a.gemini()
	case history.Gateway:
		a.gateway()
	}
}

// id makes an id that no other has: programs drop a call whose id they know.
func (s *Server) id(prefix string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	return fmt.Sprintf("%s_mock%04d", prefix, s.serial)
}

// object is a JSON object.
type object = map[string]any

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // whoever asked may be gone
}

// fail answers as all dialects but Gemini's report an error.
func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(object{"type": "error", "error": object{"type": "api_error", "message": message}})
}

// answer is a reply to one request.
type answer struct {
	w      http.ResponseWriter
	step   Step
	model  string
	stream bool
	id     func(prefix string) string
	begun  bool
}

// callID is the id of a call: the script's, or a new one.
func (a *answer) callID(c Call, prefix string) string {
	if c.ID != "" {
		return c.ID
	}
	return a.id(prefix)
}

// event sends one server-sent event; the name may be empty.
func (a *answer) event(name string, data any) {
	if !a.begun {
		a.w.Header().Set("Content-Type", "text/event-stream")
		a.begun = true
	}
	if name != "" {
		fmt.Fprintf(a.w, "event: %s\n", name)
	}
	text, ok := data.(string)
	if !ok {
		b, err := json.Marshal(data)
		if err != nil {
			panic(err) // made of texts and numbers
		}
		text = string(b)
	}
	fmt.Fprintf(a.w, "data: %s\n\n", text)
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}
