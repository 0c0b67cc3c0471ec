import {
  getMemberDirectory,
  removeFromDirectory,
  type MemberDirectory,
} from '#contract/console/people/member-directory.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Button } from '#web/ui/button.tsx'
import { memberRights } from './member-rights.rules.ts'
import type { MemberEditor } from './use-member.ts'

/** Whether the member is in the directory. Officers take out; only the member turns it on. */
export function MemberDirectoryPanel({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const loaded = useLoaded(getMemberDirectory, { params: { id: member.id } })
  const { action } = desk
  return (
    <Panel title="Directory">
      <WhenLoaded loaded={loaded} what="the directory entry">
        {(listing) => (
          <>
            <p>{sentenceOf(listing)}</p>
            {listing.mayRemove && memberRights(member).record && (
              <Button
                variant="line"
                size="small"
                busy={action.busy === 'remove from directory'}
                busyLabel="Taking out"
                onClick={() =>
                  void action.run(
                    'remove from directory',
                    async () =>
                      loaded.setValue(await saveAsOfficer(removeFromDirectory, { params: { id: member.id } })),
                    'Taken out of the directory.',
                  )
                }
              >
                Take out of the directory
              </Button>
            )}
          </>
        )}
      </WhenLoaded>
    </Panel>
  )
}

function sentenceOf({ inMembers, inPublic, isShownToMembers, isShownToPublic }: MemberDirectory): string {
  if (!inMembers && !inPublic) return 'Not listed: the member chose nothing else.'
  const where = [inMembers && 'for members', inPublic && 'on the public page'].filter(Boolean).join(' and ')
  const isShown = (!inMembers || isShownToMembers) && (!inPublic || isShownToPublic)
  return `Listed ${where}.${isShown ? '' : ' Not all of it is shown now: that takes an active membership, and credentials for the public page.'}`
}
