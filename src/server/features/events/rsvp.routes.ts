import { cancelRsvp, changeRsvp, downloadCertificate, readOwnRsvp, readRsvpOffer, sendRsvp } from '#contract/rsvp.ts'
import type { Server } from '#server/http/serve.ts'
import type { CertificateService } from './certificate.service.ts'
import type { RsvpService } from './rsvp.service.ts'

export function rsvpRoutes(server: Server, rsvps: RsvpService, certificates: Pick<CertificateService, 'print'>): void {
  server.serve(readRsvpOffer, async ({ params }) => rsvps.offer(params.id))
  server.serve(sendRsvp, async ({ params, body }) => ({ place: await rsvps.send(params.id, body) }))
  server.serve(readOwnRsvp, async ({ body }) => rsvps.read(body.token))
  server.serve(changeRsvp, async ({ body }) => rsvps.change(body))
  server.serve(cancelRsvp, async ({ body }) => rsvps.cancel(body.token))
  server.serveFile(downloadCertificate, async ({ params }) => certificates.print(params.token))
}
