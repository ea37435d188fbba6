// Puts a session that trajmap has written where cursor-agent finds it, without
// trajmap. It lies beside the session, NAME.readout.json:
//
//   node prepare-cursor.mjs [--cwd DIR] [--home DIR] [READOUT]
//
// --cwd   folder to go on in, when it is not the session's own
// --home  in place of $CURSOR_CONFIG_DIR, $XDG_CONFIG_HOME/cursor or ~/.cursor
//
// It writes the store that `cursor-agent --resume` reads, and the one that
// `cursor-agent acp` reads, and overwrites neither. Both are private to the
// program: another version of it than the one below is refused, unless
// CURSOR_NATIVE_ALLOW_UNTESTED=1 is set. Needs Node 22.13 or newer.

import { createHash, randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const FORMAT = 'cursor-agent-sqlite-readout-v1';
const PROGRAM = 'cursor-agent';
const VERSION = '2026.10.01-e373342';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;

class Refusal extends Error {}
const refuse = (message) => { throw new Refusal(message); };
const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);

function options(argv) {
  const o = {};
  for (let i = 0; i < argv.length; i++) {
    const name = { '--cwd': 'cwd', '--home': 'home' }[argv[i]];
    if (name) {
      o[name] = argv[++i] || refuse(`${argv[i - 1]} needs a folder`);
    } else if (argv[i].startsWith('-')) {
      refuse(`there is no option ${argv[i]} (there are --cwd and --home)`);
    } else if (o.readout) {
      refuse('one readout at a time');
    } else {
      o.readout = argv[i];
    }
  }
  return o;
}

// The one readout beside this script.
function readoutHere() {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const list = fs.readdirSync(here).filter((name) => name.endsWith('.readout.json'));
  if (list.length !== 1) refuse(`${here} holds ${list.length} readouts: name one`);
  return path.join(here, list[0]);
}

function checkVersion() {
  if (process.env.CURSOR_NATIVE_ALLOW_UNTESTED === '1') return;
  const ran = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] });
  const have = ran.error || ran.status !== 0 ? '' : ran.stdout.trim();
  if (have !== VERSION) {
    refuse(`${PROGRAM} is ${have ? 'of another version' : 'not there, or does not tell its version'}, and its store is known of ${VERSION} alone`
      + ' (CURSOR_NATIVE_ALLOW_UNTESTED=1 writes it all the same)');
  }
}

// The fields of a protobuf message that have a length, by number. References to
// blobs are such fields, of 32 bytes.
function fieldsOf(data) {
  const fields = new Map();
  let at = 0;
  const varint = () => {
    let n = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (at >= data.length || shift > 63n) refuse('a blob does not decode');
      const byte = data[at++];
      n |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return n;
    }
  };
  while (at < data.length) {
    const tag = varint();
    const skip = { 1: 8n, 5: 4n }[tag & 7n];
    switch (tag & 7n) {
      case 0n: varint(); break;
      case 1n: case 5n: at += Number(skip); break;
      case 2n: {
        const size = Number(varint());
        const number = Number(tag >> 3n);
        fields.set(number, [...(fields.get(number) ?? []), data.subarray(at, at + size)]);
        at += size;
        break;
      }
      default: refuse('a blob does not decode');
    }
    if (at > data.length) refuse('a blob does not decode');
  }
  return fields;
}

// Every blob that the conversation needs must be there: what is missing is
// passed over in silence when a session is loaded.
function checkGraph(rootId, blobs) {
  const need = (ref) => {
    const data = blobs.get(Buffer.from(ref).toString('hex'));
    return data ?? refuse('a blob that the session needs is missing');
  };
  const root = fieldsOf(need(Buffer.from(rootId, 'hex')));
  for (const number of [1, 3, 6, 7, 11, 13]) (root.get(number) ?? []).forEach(need);
  for (const ref of root.get(8) ?? []) {
    const turn = fieldsOf(need(ref));
    for (const kind of [1, 2]) {
      for (const inner of turn.get(kind) ?? []) {
        const parts = fieldsOf(inner);
        for (const number of [1, 2]) (parts.get(number) ?? []).forEach(need);
      }
    }
  }
}

// What a readout holds, checked: the session's id and folder, the metadata
// without its key, the blobs by their ids.
function session(file) {
  let doc;
  try {
    doc = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (err) {
    refuse(`${file} cannot be read, or is no JSON (${err.code ?? 'syntax'})`);
  }
  if (!isObject(doc) || doc.format !== FORMAT || doc.userVersion !== 1) refuse(`${file} is no ${FORMAT}`);
  if (!UUID.test(doc.sessionId)) refuse('the session has no id of the form that is written');
  if (!Array.isArray(doc.blobs) || !Array.isArray(doc.meta)) refuse('the readout is not whole');
  const row = doc.meta.find((r) => isObject(r) && r.key === '0');
  let meta;
  try {
    if (!/^([0-9a-f]{2})+$/.test(row.value)) throw new Error('hex');
    meta = JSON.parse(Buffer.from(row.value, 'hex').toString('utf8'));
  } catch {
    refuse('the metadata is not in hex, or no JSON');
  }
  if (!isObject(meta) || meta.agentId !== doc.sessionId) refuse('the metadata is of another session');
  delete meta.blobEncryptionKey; // the program makes its own
  const blobs = new Map();
  for (const blob of doc.blobs) {
    if (!isObject(blob) || !HASH.test(blob.id) || typeof blob.data !== 'string') refuse('a blob is not whole');
    const data = Buffer.from(blob.data, 'base64');
    if (createHash('sha256').update(data).digest('hex') !== blob.id) refuse('a blob has another hash than its name');
    blobs.set(blob.id, data);
  }
  if (meta.latestRootBlobId !== '') {
    if (!HASH.test(meta.latestRootBlobId)) refuse('the metadata does not name the root of the conversation');
    checkGraph(meta.latestRootBlobId, blobs);
  }
  return { id: doc.sessionId, cwd: doc.cwd, meta, blobs };
}

function sync(name) {
  const fd = fs.openSync(name, 'r');
  try { fs.fsyncSync(fd); } finally { fs.closeSync(fd); }
}

// A store in a fresh folder, read back before it counts.
function writeStore(DatabaseSync, folder, s) {
  const file = path.join(folder, 'store.db');
  fs.closeSync(fs.openSync(file, 'wx', 0o600));
  let db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; BEGIN; PRAGMA user_version=1;'
    + 'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);');
  db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('0', Buffer.from(JSON.stringify(s.meta), 'utf8').toString('hex'));
  const insert = db.prepare('INSERT INTO blobs (id, data) VALUES (?, ?)');
  for (const [id, data] of [...s.blobs].sort(([a], [b]) => (a < b ? -1 : 1))) insert.run(id, data);
  db.exec('COMMIT');
  db.close();
  db = new DatabaseSync(file, { readOnly: true });
  let seen = 0;
  for (const row of db.prepare('SELECT id, data FROM blobs').iterate()) {
    if (createHash('sha256').update(row.data).digest('hex') !== row.id) refuse('what was written does not read back');
    seen++;
  }
  db.close();
  if (seen !== s.blobs.size) refuse('what was written does not read back');
  for (const rest of ['-wal', '-shm', '-journal']) fs.rmSync(file + rest, { force: true });
  sync(file);
}

const exists = (name) => fs.lstatSync(name, { throwIfNoEntry: false }) !== undefined;

// Both folders, or neither.
function install(DatabaseSync, home, cwd, s) {
  const md5 = createHash('md5').update(cwd, 'utf8').digest('hex');
  const chat = path.join(home, 'chats', md5, s.id);
  const acp = path.join(home, 'acp-sessions', s.id);
  for (const final of [chat, acp]) if (exists(final)) refuse(`${final} is there already, and nothing is overwritten`);
  const undo = [];
  try {
    for (const final of [chat, acp]) {
      const parent = path.dirname(final);
      const made = fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
      if (made) undo.push(() => { for (let p = parent; p.length >= made.length; p = path.dirname(p)) fs.rmdirSync(p); });
      const temp = path.join(parent, `.prepare-${randomBytes(6).toString('hex')}.tmp`);
      fs.mkdirSync(temp, { mode: 0o700 });
      let at = temp;
      undo.push(() => fs.rmSync(at, { recursive: true, force: true }));
      writeStore(DatabaseSync, temp, s);
      if (final === acp) {
        const about = path.join(temp, 'meta.json');
        fs.writeFileSync(about, JSON.stringify({ schemaVersion: 1, cwd }), { flag: 'wx', mode: 0o600 });
        sync(about);
      }
      if (exists(final)) refuse(`${final} has come meanwhile, and nothing is overwritten`);
      fs.renameSync(temp, final);
      at = final;
      sync(parent);
    }
  } catch (err) {
    for (const step of undo.reverse()) {
      try { step(); } catch { /* others have put something there: it stays */ }
    }
    throw err;
  }
  return [chat, acp];
}

const quoted = (word) => (/^[A-Za-z0-9_/.:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

async function main() {
  const o = options(process.argv.slice(2));
  const sqlite = await import('node:sqlite').catch(() => refuse('this Node has no SQLite: 22.13 or newer is needed'));
  const s = session(o.readout ?? readoutHere());
  checkVersion();
  const named = o.cwd ?? s.cwd;
  if (typeof named !== 'string' || !path.isAbsolute(named) || named.includes('\0')) refuse('the session has no folder (name one with --cwd)');
  if (!fs.statSync(named, { throwIfNoEntry: false })?.isDirectory()) refuse("the session's folder is not on this machine (name another with --cwd)");
  const cwd = fs.realpathSync(named);
  const env = (name, ...below) => (process.env[name] ? path.join(process.env[name], ...below) : undefined);
  const home = path.resolve(o.home ?? env('CURSOR_CONFIG_DIR') ?? env('XDG_CONFIG_HOME', 'cursor') ?? path.join(os.homedir(), '.cursor'));
  process.umask(0o077);
  for (const folder of install(sqlite.DatabaseSync, home, cwd, s)) console.log(folder);
  console.log(`cd ${quoted(cwd)} && ${PROGRAM} --resume ${s.id}`);
}

main().catch((err) => {
  console.error(`prepare-cursor: ${err instanceof Refusal ? err.message : `${err.code ?? err.name}: ${err.message}`}`);
  process.exitCode = 1;
});
