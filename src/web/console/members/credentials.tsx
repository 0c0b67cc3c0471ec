import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  listWaitingCredentials,
  type AgainCredential,
  type DeskLists,
  type WaitingCredential,
} from '#contract/console-credentials.ts'
import { formatLongDate } from '#contract/dates.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { ChoiceTabs } from '#web/features/console/choice-tabs.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { ACT_TITLES, confirmStillRight, DeskForm, type DeskAct } from '#web/features/members/credential-forms.tsx'
import { CredentialSheet } from '#web/features/members/credential-sheet.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

const DONE: Record<DeskAct['act'], (name: string) => string> = {
  approve: (name) => `${name} is approved; a letter tells the member.`,
  decline: (name) => `${name} is declined; a letter tells the member.`,
  ask: (name) => `${name} is asked by letter.`,
  withdraw: (name) => `The approval of ${name} is taken back; a letter tells the member.`,
  until: (name) => `${name} is still right, and comes again when the training ends.`,
}

/** The credential desk: whoever waited longest comes first, and what was approved long ago is looked at again. */
export default function CredentialsPage() {
  const desk = useLoaded('desk', () => callAsOfficer(listWaitingCredentials))
  const [params, setParams] = useSearchParams()
  const [doing, setDoing] = useState<DeskAct | null>(null)
  const [done, setDone] = useState('')
  const action = useAction()
  const list = params.get('list') === 'again' ? 'again' : 'waiting'

  function finish(lists: DeskLists, words: string) {
    desk.setValue(lists)
    setDone(words)
    setDoing(null)
  }

  return (
    <ConsolePage
      title="Credentials"
      lead="Physicians, residents and students who are to be verified. What you look at is kept with your name."
    >
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      <ActionMessages action={action} />
      <WhenLoaded loaded={desk} what="who waits">
        {({ waiting, again, againTotal }) => (
          <>
            <ChoiceTabs
              label="List"
              choices={[
                ['waiting', `Waiting (${waiting.length})`],
                ['again', `To look at again (${againTotal})`],
              ]}
              chosen={list}
              onChoose={(next) => setParams(next === 'again' ? { list: 'again' } : {}, { replace: true })}
            />
            {list === 'waiting' ? (
              <Waiting credentials={waiting} onAct={setDoing} />
            ) : (
              <Again
                credentials={again}
                total={againTotal}
                busy={action.busy}
                onAct={setDoing}
                onRight={(credential) => {
                  setDone('')
                  void action.run(credential.id, async () =>
                    finish(
                      await heedOthers(desk.reload, () => confirmStillRight(credential)),
                      `${credential.name} is still right.`,
                    ),
                  )
                }}
              />
            )}
          </>
        )}
      </WhenLoaded>
      <Dialog
        open={doing !== null}
        onClose={() => setDoing(null)}
        title={doing ? ACT_TITLES[doing.act] : ''}
        width="34rem"
      >
        {doing && (
          <DeskForm
            doing={asItIsNow(doing, desk.value)}
            reload={desk.reload}
            onDone={(lists) => finish(lists, DONE[doing.act](doing.credential.name))}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

/** Once the lists were asked for anew, what is done is done with what they say. */
function asItIsNow(doing: DeskAct, lists: DeskLists | null): DeskAct {
  const now = [...(lists?.waiting ?? []), ...(lists?.again ?? [])].find(({ id }) => id === doing.credential.id)
  return now ? ({ ...doing, credential: now } as DeskAct) : doing
}

function Waiting({ credentials, onAct }: { credentials: readonly WaitingCredential[]; onAct(doing: DeskAct): void }) {
  if (credentials.length === 0) return <p className="sheet">Nobody waits.</p>
  return (
    <div className="member-sheets">
      {credentials.map((credential) => {
        const { id, name, declinedBefore } = credential
        return (
          <CredentialSheet
            key={id}
            credential={credential}
            more={declinedBefore ? [{ label: 'Declined before', value: declinedBefore }] : []}
          >
            <Button size="small" aria-label={`Approve ${name}`} onClick={() => onAct({ act: 'approve', credential })}>
              Approve
            </Button>
            <FurtherAct word="Ask" name={name} onClick={() => onAct({ act: 'ask', credential })} />
            <FurtherAct word="Decline" name={name} onClick={() => onAct({ act: 'decline', credential })} />
          </CredentialSheet>
        )
      })}
    </div>
  )
}

function Again({
  credentials,
  total,
  busy,
  onAct,
  onRight,
}: {
  credentials: readonly AgainCredential[]
  total: number
  /** Whose "Still right" is on its way. */
  busy: string | null
  onAct(doing: DeskAct): void
  onRight(credential: AgainCredential): void
}) {
  if (credentials.length === 0) return <p className="sheet">Nothing is to be looked at again.</p>
  return (
    <>
      <p className="soft">
        Look the NPI up again, or ask. Whom you say is still right comes again in a year; nobody is written to.
        {total > credentials.length && ` The first ${credentials.length} are shown; the others follow.`}
      </p>
      <div className="member-sheets">
        {credentials.map((credential) => {
          const { id, name, kind, npiFits, lookedAt, evidence, why } = credential
          const isOver = why === 'training'
          return (
            <CredentialSheet
              key={id}
              credential={credential}
              more={[
                { label: 'Looked at', value: `${formatLongDate(lookedAt)}${evidence === null ? '' : `: ${evidence}`}` },
              ]}
            >
              {(kind !== 'licence' || npiFits) && (
                <Button
                  size="small"
                  aria-label={`${name} is still right`}
                  busy={busy === id}
                  busyLabel="Saving"
                  onClick={() => (isOver ? onAct({ act: 'until', credential }) : onRight(credential))}
                >
                  Still right
                </Button>
              )}
              <FurtherAct word="Ask" name={name} onClick={() => onAct({ act: 'ask', credential })} />
              <FurtherAct word="Withdraw" name={name} onClick={() => onAct({ act: 'withdraw', credential })} />
            </CredentialSheet>
          )
        })}
      </div>
    </>
  )
}

/** Beside the act that most credentials end with. */
function FurtherAct({ word, name, onClick }: { word: string; name: string; onClick(): void }) {
  return (
    <Button variant="line" size="small" aria-label={`${word} ${name}`} onClick={onClick}>
      {word}
    </Button>
  )
}
