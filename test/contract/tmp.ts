import { fullBatches, fullCommit, x } from './full-batches.ts';
import { toItems } from '../../src/aws/commit-item.ts';
const size = (c: any) => { const {commit}=toItems(c); return [c.entries.length, Object.entries(commit).reduce((s,[k,a])=>s+k.length+(a.S?Buffer.byteLength(a.S):a.B?a.B.byteLength:10),0), Buffer.byteLength(commit.entries!.S!), commit.states?.B?.byteLength, Buffer.byteLength(commit.description!.S!), commit.seen!.B!.byteLength, commit.marks!.S!.length ].join(' ') };
const key = {model:'m',transaction:'t'};
for (const [n, f] of fullBatches) { try { console.log(n, size(f(key))); } catch (e) { console.log(n, String(e).slice(0,300)); } }
for (let n = 200; n > 0; n--) try { const c = fullCommit(key, Array.from({length:n}, () => ({replyTo: x})), 100); console.log('replyTo', size(c)); break; } catch (e) { if (n < 5) throw e; }
for (let n = 200; n > 0; n--) try { const c = fullCommit(key, Array.from({length:n}, (_, i) => ({id: `${i}`.padEnd(256,'\u0001'), source: '\u0001'.repeat(256), replyTo: x})), 100); console.log('control', size(c)); break; } catch (e) { if (n < 5) throw e; }
