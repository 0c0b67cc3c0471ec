import {
  cancelRsvp,
  changeRsvp,
  confirmRsvp,
  downloadCertificate,
  abandonRsvpPayment,
  payRsvp,
  readNextRsvp,
  readOwnRsvp,
  readRsvpSettings,
  readSeatsLeft,
  sendRsvp,
  verifyRsvpPayment,
} from '#contract/public/rsvp.ts'
import type { Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { CertificateService } from './check-in/certificate.service.ts'
import type { RsvpPayments } from './orders/rsvp-payment.service.ts'
import type { RsvpQueries } from './rsvp-view.service.ts'
import type { RsvpRequests } from './requests/rsvp-requests.service.ts'
import type { RsvpService } from './rsvp.service.ts'

export function rsvpRoutes(
  server: Server,
  {
    reading,
    rsvps,
    requests,
    rsvpPayments,
    certificates,
  }: {
    reading: Pick<RsvpQueries, 'settings' | 'seatsLeft' | 'read' | 'nextOf'>
    rsvps: RsvpService
    requests: Pick<RsvpRequests, 'confirm'>
    rsvpPayments: Pick<RsvpPayments, 'verify' | 'abandon'>
    certificates: Pick<CertificateService, 'print'>
  },
): void {
  server.serve(readRsvpSettings, async ({ params, caller }) => reading.settings(params.id, caller?.accountId ?? null))
  server.serve(readSeatsLeft, async () => ({ events: await reading.seatsLeft() }))
  server.serve(sendRsvp, async ({ params, body, caller, address }) =>
    rsvps.send(params.id, body, { accountId: caller?.accountId ?? null, address }),
  )
  server.serve(confirmRsvp, async ({ body }) => requests.confirm(body.token))
  server.serve(readNextRsvp, async ({ caller }) => ({ rsvp: await reading.nextOf(signedIn(caller).accountId) }))
  server.serve(readOwnRsvp, async ({ body }) => reading.read(body.token))
  server.serve(changeRsvp, async ({ body }) => rsvps.change(body))
  server.serve(payRsvp, async ({ body }) => ({ payAt: await rsvps.pay(body.token) }))
  server.serve(verifyRsvpPayment, async ({ body }) => rsvpPayments.verify(body))
  server.serve(abandonRsvpPayment, async ({ body }) => rsvpPayments.abandon(body))
  server.serve(cancelRsvp, async ({ body }) => rsvps.cancel(body.token))
  server.serveFile(downloadCertificate, async ({ body }) => certificates.print(body.token))
}
