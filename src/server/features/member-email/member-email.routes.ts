import {
  controlMemberEmail,
  createMemberEmail,
  downloadPostLabels,
  downloadPostFile,
  downloadProof,
  downloadProofList,
  getMemberEmail,
  listEmailsToMembers,
  listMemberEmailTopics,
  markPosted,
  previewMemberEmail,
  saveMemberEmail,
  sealProof,
  sendMemberEmail,
  testMemberEmail,
} from '#contract/console/emails/member-emails.ts'
import { setEmailTopic, unsubscribeFromTopic } from '#contract/public/my-account/email-topics.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { TopicChoices } from '#server/features/email-topics/topic-choices.service.ts'
import type { MemberEmailService } from './emails-to-members.service.ts'
import type { PostPile } from './post-pile.service.ts'
import type { ProofService } from './proof.service.ts'

export function memberEmailRoutes(
  server: Server,
  {
    emailsToMembers: emails,
    postPile,
    proofs,
    emailTopics,
  }: {
    emailsToMembers: MemberEmailService
    postPile: PostPile
    proofs: ProofService
    emailTopics: TopicChoices
  },
): void {
  server.serve(listEmailsToMembers, async ({ query }) => emails.list(query))
  server.serve(listMemberEmailTopics, async ({ officer }) => emails.topics(requireOfficer(officer)))
  server.serve(createMemberEmail, async ({ officer, body }) => emails.create(requireOfficer(officer), body))
  server.serve(getMemberEmail, async ({ officer, params }) => emails.read(requireOfficer(officer), params.id))
  server.serve(saveMemberEmail, async ({ officer, params, body }) =>
    emails.save(requireOfficer(officer), params.id, body),
  )
  server.serve(previewMemberEmail, async ({ params }) => emails.preview(params.id))
  server.serve(testMemberEmail, async ({ officer, params }) => ({
    email: await emails.sendTest(requireOfficer(officer), params.id),
  }))
  server.serve(sendMemberEmail, async ({ officer, params, body }) =>
    emails.send(requireOfficer(officer), params.id, body),
  )
  server.serve(controlMemberEmail, async ({ officer, params, body }) =>
    emails.control(requireOfficer(officer), params.id, body),
  )
  server.serveFile(downloadPostFile, async ({ officer, params }) => postPile.file(requireOfficer(officer), params.id))
  server.serveFile(downloadPostLabels, async ({ officer, params }) =>
    postPile.labels(requireOfficer(officer), params.id),
  )
  server.serve(markPosted, async ({ officer, params, body }) => {
    await postPile.markPosted(requireOfficer(officer), params.id, body)
    return emails.read(requireOfficer(officer), params.id)
  })
  server.serve(sealProof, async ({ officer, params }) => {
    await proofs.seal(requireOfficer(officer), params.id)
    return emails.read(requireOfficer(officer), params.id)
  })
  server.serveFile(downloadProof, async ({ officer, params }) => proofs.pdf(requireOfficer(officer), params.id))
  server.serveFile(downloadProofList, async ({ officer, params }) => proofs.list(requireOfficer(officer), params.id))

  server.serve(setEmailTopic, async ({ caller, body }) => ({
    topics: await emailTopics.choose(signedIn(caller).accountId, body.topic, body.isWanted),
  }))
  server.serve(unsubscribeFromTopic, async ({ body: { token } }) => {
    const { key, name } = await emailTopics.unsubscribeByToken(token)
    return { topic: key, name }
  })
}
