// Prints the turns of a store as the vendor's runtime loads them: JSON, one line.
//
//   node cursor-load.mjs STORE CWD SCRATCH
//
// The runtime keeps a list of its agents beside their stores, and gives nothing
// for one that is not in it: so the blobs are put into a store that it makes.
import * as sdk from '@cursor/sdk';
import { DatabaseSync } from 'node:sqlite';

const [store, cwd, scratch] = process.argv.slice(2);
const db = new DatabaseSync(store, { readOnly: true });
const meta = JSON.parse(Buffer.from(db.prepare("SELECT value FROM meta WHERE key = '0'").get().value, 'hex'));
const agentId = meta.agentId;
const own = new sdk.JsonlLocalAgentStore(scratch);
await own.agents.create({
  agent: {
    agentId, cwd, status: 'idle', name: meta.name, createdAt: meta.createdAt, updatedAt: meta.createdAt,
    latestCheckpoint: { schemaVersion: 1, rootBlobId: meta.latestRootBlobId },
  },
});
for (const row of db.prepare('SELECT id, data FROM blobs').iterate()) {
  await own.checkpoints.create({ agentId, blobId: row.id, data: new Uint8Array(row.data) });
}
console.log(JSON.stringify(await sdk.Agent.messages.list(agentId, { runtime: 'local', cwd, store: own })));
