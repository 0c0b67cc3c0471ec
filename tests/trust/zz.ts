import { startWorld } from '/work/main/tests/trust/site.ts'
import { sendBytes, ask } from '/work/main/tests/trust/http.ts'
const w = await startWorld({ environment: { LOG_LEVEL: 'debug' } })
for (const m of ['DELETE', 'OPTIONS','PUT','POST'])
 for (const more of ['', 'Content-Length: 0\r\n'])
  console.log(m, JSON.stringify(more), JSON.stringify((await sendBytes(w.site.origin, [`${m} /api/account/profile HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Connection: close\r\n\r\n`], {quietMs: 3000})).text.slice(0,60)))
console.log(await ask(w.site.origin, { method: 'DELETE', path: '/api/account/profile', headers: {'content-type':'application/json', cookie:'Set-Cookie: x=1', authorization: 'Bearer '}, withinMs: 3000 }).then(a=>a.status, e=>String(e)))
console.log(await ask(w.site.origin, { method: 'DELETE', path: '/api/account/profile', headers: {'content-type':'application/json'}, withinMs: 3000 }).then(a=>a.status, e=>String(e)))
console.log(w.site.program.output.slice(-1500))
await w.close()
process.exit(0)
