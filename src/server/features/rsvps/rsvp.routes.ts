import {
  cancelRsvp,
  changeRsvp,
  confirmRsvp,
  downloadCertificate,
  giveUpRsvpPayment,
  payRsvp,
  readOwnRsvp,
  readRsvpOffer,
  sendRsvp,
  verifyRsvpPayment,
} from '#contract/rsvp.ts'
import type { Server } from '#server/http/serve.ts'
import type { CertificateService } from './certificate.service.ts'
import type { RsvpSettlementService } from './rsvp-settlement.service.ts'
import type { RsvpReading } from './rsvp-reading.ts'
import type { RsvpRequests } from './rsvp-requests.service.ts'
import type { RsvpService } from './rsvp.service.ts'

export function rsvpRoutes(
  server: Server,
  {
    reading,
    rsvps,
    requests,
    settlements,
    certificates,
  }: {
    reading: Pick<RsvpReading, 'offer' | 'read'>
    rsvps: RsvpService
    requests: Pick<RsvpRequests, 'confirm'>
    settlements: Pick<RsvpSettlementService, 'verify' | 'giveUpBy'>
    certificates: Pick<CertificateService, 'print'>
  },
): void {
  server.serve(readRsvpOffer, async ({ params, caller }) => reading.offer(params.id, caller?.accountId ?? null))
  server.serve(sendRsvp, async ({ params, body, caller, address }) =>
    rsvps.send(params.id, body, { accountId: caller?.accountId ?? null, address }),
  )
  server.serve(confirmRsvp, async ({ body }) => requests.confirm(body.token))
  server.serve(readOwnRsvp, async ({ body }) => reading.read(body.token))
  server.serve(changeRsvp, async ({ body }) => rsvps.change(body))
  server.serve(payRsvp, async ({ body }) => ({ payAt: await rsvps.pay(body.token) }))
  server.serve(verifyRsvpPayment, async ({ body }) => ({ outcome: await settlements.verify(body) }))
  server.serve(giveUpRsvpPayment, async ({ body }) => settlements.giveUpBy(body))
  server.serve(cancelRsvp, async ({ body }) => rsvps.cancel(body.token))
  server.serveFile(downloadCertificate, async ({ body }) => certificates.print(body.token))
}
