import { getMemberCard, revokeMemberCard, scanCard } from '#contract/console/people/member-card.ts'
import {
  downloadAppleWalletPass,
  getAppleWalletLink,
  getCard,
  getGoogleWalletLink,
  replaceCard,
} from '#contract/public/my-account/membership-card.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { CardScans } from './card-scan.service.ts'
import type { CardService } from './card.service.ts'

export function cardRoutes(server: Server, { cards, cardScans }: { cards: CardService; cardScans: CardScans }): void {
  server.serve(getCard, ({ caller }) => cards.own(signedIn(caller).accountId))
  server.serve(replaceCard, ({ caller }) => cards.replace(signedIn(caller).accountId))
  server.serve(getGoogleWalletLink, ({ caller }) => cards.googleWallet(signedIn(caller).accountId))
  server.serve(getAppleWalletLink, ({ caller }) => cards.appleWallet(signedIn(caller).accountId))
  server.serveFile(downloadAppleWalletPass, ({ query }) => cards.appleWalletPass(query.token))
  server.serve(getMemberCard, ({ officer, params }) => cards.describe(requireOfficer(officer), params.id))
  server.serve(revokeMemberCard, ({ officer, params }) => cards.revoke(requireOfficer(officer), params.id))
  server.serve(scanCard, ({ officer, body }) => cardScans.scan(requireOfficer(officer), body.code))
}
