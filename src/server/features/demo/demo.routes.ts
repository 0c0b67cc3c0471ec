import { randomBytes } from 'node:crypto'
import { enterDemo, listDemoEmails, readDemo } from '#contract/demo/demo.ts'
import type { Server } from '#server/http/serve.ts'
import type { DemoService } from './demo.service.ts'

const GUEST_SECONDS = 86_400

export function demoRoutes(server: Server, demo: DemoService): void {
  server.serve(readDemo, async ({ readCookie, setCookie }) => {
    const guest = readCookie('demo_guest') ?? randomBytes(8).toString('hex')
    setCookie('demo_guest', guest, GUEST_SECONDS)
    return demo.read(guest)
  })
  server.serve(enterDemo, async ({ body, userAgent }) => demo.enter(body.email, userAgent))
  server.serve(listDemoEmails, async ({ readCookie, caller }) =>
    demo.emails(readCookie('demo_guest'), caller?.accountId ?? null),
  )
}
