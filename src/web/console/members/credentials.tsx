import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  listPendingCredentials,
  type CredentialRecheck,
  type CredentialDeskLists,
  type PendingCredential,
} from '#contract/console/credentials.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import {
  CREDENTIAL_ACTION_TITLES,
  confirmRecheck,
  CredentialActionForm,
  type CredentialAction,
} from './member/credential-forms.tsx'
import { CredentialCard } from './member/credential-card.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

const DONE: Record<CredentialAction['act'], (name: string) => string> = {
  approve: (name) => `${name} was approved. We’ve emailed the member.`,
  decline: (name) => `${name} was declined. We’ve emailed the member.`,
  ask: (name) => `We’ve emailed your question to ${name}.`,
  withdraw: (name) => `The approval of ${name} was revoked. We’ve emailed the member.`,
  until: (name) => `${name} was confirmed. The next recheck is due when the training ends.`,
}

/** The credentials queue: the longest waiting first, and approved credentials that are due for a recheck. */
export default function CredentialsPage() {
  const queue = useLoaded(listPendingCredentials)
  const [params, setParams] = useSearchParams()
  const [doing, setDoing] = useState<CredentialAction | null>(null)
  const [done, setDone] = useState('')
  const action = useAction()
  const list = params.get('list') === 'again' ? 'again' : 'waiting'

  function finish(lists: CredentialDeskLists, message: string) {
    queue.setValue(lists)
    setDone(message)
    setDoing(null)
  }

  return (
    <ConsolePage
      title="Credentials"
      lead="Verify physicians, residents and students. Your evidence is recorded with your name."
    >
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      <ActionMessages action={action} />
      <WhenLoaded loaded={queue} what="credentials">
        {({ waiting, again, againTotal }) => (
          <>
            <ChoiceTabs
              label="List"
              choices={[
                ['waiting', `Waiting (${waiting.length})`],
                ['again', `Recheck due (${againTotal})`],
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
                    finish(await confirmRecheck(credential), `${credential.name} was confirmed.`),
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
        title={doing ? CREDENTIAL_ACTION_TITLES[doing.act] : ''}
        width="34rem"
      >
        {doing && (
          <CredentialActionForm
            doing={withCurrentCredential(doing, queue.value)}
            onDone={(lists) => finish(lists, DONE[doing.act](doing.credential.name))}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

/** Uses the reloaded credential after the lists were fetched again. */
function withCurrentCredential(doing: CredentialAction, lists: CredentialDeskLists | null): CredentialAction {
  const now = [...(lists?.waiting ?? []), ...(lists?.again ?? [])].find(({ id }) => id === doing.credential.id)
  return now ? ({ ...doing, credential: now } as CredentialAction) : doing
}

function Waiting({
  credentials,
  onAct,
}: {
  credentials: readonly PendingCredential[]
  onAct(doing: CredentialAction): void
}) {
  if (credentials.length === 0) return <p className="card">All caught up.</p>
  return (
    <div className="member-cards">
      {credentials.map((credential) => {
        const { id, name, declinedBefore } = credential
        return (
          <CredentialCard
            key={id}
            credential={credential}
            more={declinedBefore ? [{ label: 'Previously declined', value: declinedBefore }] : []}
          >
            <Button size="small" aria-label={`Approve ${name}`} onClick={() => onAct({ act: 'approve', credential })}>
              Approve
            </Button>
            <SecondaryAction label="Ask" name={name} onClick={() => onAct({ act: 'ask', credential })} />
            <SecondaryAction label="Decline" name={name} onClick={() => onAct({ act: 'decline', credential })} />
          </CredentialCard>
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
  credentials: readonly CredentialRecheck[]
  total: number
  /** The credential being confirmed. */
  busy: string | null
  onAct(doing: CredentialAction): void
  onRight(credential: CredentialRecheck): void
}) {
  if (credentials.length === 0) return <p className="card">All caught up.</p>
  return (
    <>
      <p className="soft">
        Look up the NPI again, or ask the member. Confirmed credentials are due again in a year; no email is sent.
        {total > credentials.length && ` Showing the first ${credentials.length}.`}
      </p>
      <div className="member-cards">
        {credentials.map((credential) => {
          const { id, name, kind, npiFits, lookedAt, evidence, why } = credential
          const isOver = why === 'training'
          return (
            <CredentialCard
              key={id}
              credential={credential}
              more={[
                { label: 'Evidence', value: `${formatLongDate(lookedAt)}${evidence === null ? '' : `: ${evidence}`}` },
              ]}
            >
              {(kind !== 'licence' || npiFits) && (
                <Button
                  size="small"
                  aria-label={`Confirm ${name}`}
                  busy={busy === id}
                  busyLabel="Saving"
                  onClick={() => (isOver ? onAct({ act: 'until', credential }) : onRight(credential))}
                >
                  Confirm
                </Button>
              )}
              <SecondaryAction label="Ask" name={name} onClick={() => onAct({ act: 'ask', credential })} />
              <SecondaryAction label="Revoke" name={name} onClick={() => onAct({ act: 'withdraw', credential })} />
            </CredentialCard>
          )
        })}
      </div>
    </>
  )
}

/** A secondary action beside the most common one. */
function SecondaryAction({ label, name, onClick }: { label: string; name: string; onClick(): void }) {
  return (
    <Button variant="line" size="small" aria-label={`${label} ${name}`} onClick={onClick}>
      {label}
    </Button>
  )
}
