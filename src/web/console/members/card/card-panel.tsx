import { getMemberCard, revokeMemberCard, type MemberCard } from '#contract/console/people/member-card.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Button } from '#web/ui/button.tsx'
import { memberRights } from '../member/member-rights.rules.ts'
import type { MemberEditor } from '../member/use-member.ts'

/** The membership card. Officers revoke its code; only the member gets a new one. */
export function MemberCardPanel({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const loaded = useLoaded(getMemberCard, { params: { id: member.id } })
  const { action } = desk
  return (
    <Panel title="Membership card">
      <WhenLoaded loaded={loaded} what="the membership card">
        {({ card, mayRevoke }) => (
          <>
            <p>{sentenceOf(card)}</p>
            {mayRevoke && memberRights(member).record && (
              <Button
                variant="line"
                size="small"
                busy={action.busy === 'revoke card'}
                busyLabel="Revoking"
                onClick={() =>
                  void action.run(
                    'revoke card',
                    async () => loaded.setValue(await saveAsOfficer(revokeMemberCard, { params: { id: member.id } })),
                    'The code of the card no longer works.',
                  )
                }
              >
                Revoke the code
              </Button>
            )}
          </>
        )}
      </WhenLoaded>
    </Panel>
  )
}

function sentenceOf(card: MemberCard['card']): string {
  if (!card) return 'Not opened yet.'
  const { number, madeAt, revokedAt } = card
  return revokedAt
    ? `No. ${number}. Its code was revoked on ${formatLongDate(revokedAt)}; the member can get a new one.`
    : `No. ${number}. Its code is from ${formatLongDate(madeAt)}.`
}
