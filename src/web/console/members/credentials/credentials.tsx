import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  listPendingCredentials,
  type CredentialRecheck,
  type CredentialDeskLists,
  type PendingCredential,
} from '#contract/console/credentials.ts'
import { hasNpi, kindOf, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { listCredentialKinds } from '#contract/public/credentials.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { PageTabs } from '#web/console/ui/page-tabs.tsx'
import { CredentialCard } from './credential-card.tsx'
import {
  CREDENTIAL_ACTION_TITLES,
  confirmRecheck,
  CredentialActionForm,
  type CredentialAction,
} from './credential-forms.tsx'
import { CredentialQueue } from './credential-queue.tsx'
import { nextTrainingRecheck, whenDueAgain } from './recheck-text.rules.ts'
import { useQueueKeys } from './use-queue-keys.ts'

const DONE: Record<CredentialAction['act'], (name: string, recheckMonths: number) => string> = {
  approve: (name) => `${name} was approved. We’ve emailed the member.`,
  decline: (name) => `${name} was declined. We’ve emailed the member.`,
  ask: (name) => `We’ve emailed your question to ${name}.`,
  withdraw: (name) => `The approval of ${name} was revoked. We’ve emailed the member.`,
  until: (name, recheckMonths) => `${name} was confirmed. ${nextTrainingRecheck(recheckMonths)}`,
}

const LISTS = ['waiting', 'asked', 'again'] as const
type List = (typeof LISTS)[number]
type Credential = PendingCredential | CredentialRecheck

/** The credentials queue: the longest waiting first, those that wait for the member, and approved ones that are due for a recheck. */
export default function CredentialsPage() {
  const queue = useLoaded(listPendingCredentials)
  const known = useLoaded(listCredentialKinds)
  const kinds = known.value?.kinds ?? []
  const [params, setParams] = useSearchParams()
  const [doing, setDoing] = useState<CredentialAction | null>(null)
  const action = useAction()
  const list = LISTS.find((one) => one === params.get('list')) ?? 'waiting'
  const { value } = queue
  const shown = value ? credentialsIn(value, list) : []
  const chosen = shown.find(({ id }) => id === params.get('open')) ?? shown[0] ?? null

  function choose(id: string) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set('open', id)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }

  function finish(lists: CredentialDeskLists, message: string) {
    queue.setValue(lists)
    action.showDone(message)
    setDoing(null)
  }

  /** Confirms at once, or asks for the new end of a training. */
  function confirm(credential: CredentialRecheck) {
    if (credential.why === 'training') return setDoing({ act: 'until', credential })
    void action.run(
      credential.id,
      async () => queue.setValue(await confirmRecheck(credential)),
      `${credential.name} was confirmed.`,
    )
  }

  useQueueKeys({
    ids: shown.map(({ id }) => id),
    chosenId: chosen?.id ?? null,
    onChoose: choose,
    onApprove() {
      if (chosen && !('why' in chosen)) setDoing({ act: 'approve', credential: chosen })
      else if (chosen && 'why' in chosen && mayConfirm(chosen, kinds)) confirm(chosen)
    },
    onAsk: () => chosen && setDoing({ act: 'ask', credential: chosen }),
  })

  return (
    <ConsolePage
      title="Credentials"
      lead="Verify what members have submitted. Your evidence is recorded with your name."
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={known} what="credentials">
        {() => (
          <WhenLoaded loaded={queue} what="credentials">
            {(lists) => (
              <>
                <PageTabs
                  label="Credentials"
                  tabs={LISTS.map((one) => ({
                    label: TITLES[one],
                    to: `/console/credentials${one === 'waiting' ? '' : `?list=${one}`}`,
                    isCurrent: one === list,
                    count: one === 'again' ? lists.againTotal : credentialsIn(lists, one).length,
                  }))}
                />
                {list === 'again' && shown.length > 0 && (
                  <p className="soft">
                    Look them up again, or ask the member. {whenDueAgain(lists.recheckMonths)}; no email is sent.
                    {lists.againTotal > shown.length && ` Showing the first ${shown.length}.`}
                  </p>
                )}
                {chosen === null ? (
                  <p className="card">All caught up.</p>
                ) : (
                  <div className="queue">
                    <CredentialQueue credentials={shown} kinds={kinds} chosenId={chosen.id} onChoose={choose} />
                    <div className="queue-claim">
                      <Claim
                        credential={chosen}
                        kinds={kinds}
                        hasRegistry={lists.hasRegistry}
                        busy={action.busy}
                        onAct={setDoing}
                        onConfirm={confirm}
                      />
                      <p className="soft small">
                        <kbd>a</kbd> {'why' in chosen ? 'confirm' : 'approve'} <kbd>q</kbd> ask <kbd>j</kbd>{' '}
                        <kbd>k</kbd> next, previous. The membership stays active meanwhile.
                      </p>
                    </div>
                  </div>
                )}
              </>
            )}
          </WhenLoaded>
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
            kinds={kinds}
            onDone={(lists) => finish(lists, DONE[doing.act](doing.credential.name, lists.recheckMonths))}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

const TITLES: Record<List, string> = { waiting: 'To review', asked: 'Waiting for member', again: 'Recheck due' }

function credentialsIn({ waiting, again, againTotal }: CredentialDeskLists, list: List): Credential[] {
  // Rechecks that wait for the member come after those due.
  if (list === 'again') return again.slice(0, againTotal)
  const isAsked = ({ asked }: PendingCredential) => asked !== null && asked.answeredAt === null
  if (list === 'waiting') return waiting.filter((credential) => !isAsked(credential))
  return [...waiting.filter(isAsked), ...again.slice(againTotal)]
}

/** An NPI with an invalid check digit is asked about or revoked. */
function mayConfirm({ kind, npiFits }: CredentialRecheck, kinds: readonly CredentialKind[]): boolean {
  return npiFits || !hasNpi(kindOf(kinds, kind))
}

/** Uses the reloaded credential after the lists were fetched again. */
function withCurrentCredential(doing: CredentialAction, lists: CredentialDeskLists | null): CredentialAction {
  const now = [...(lists?.waiting ?? []), ...(lists?.again ?? [])].find(({ id }) => id === doing.credential.id)
  return now ? ({ ...doing, credential: now } as CredentialAction) : doing
}

/** The chosen claim and what an officer does about it. */
function Claim({
  credential,
  kinds,
  hasRegistry,
  busy,
  onAct,
  onConfirm,
}: {
  credential: Credential
  kinds: readonly CredentialKind[]
  hasRegistry: boolean
  /** The credential being confirmed. */
  busy: string | null
  onAct(doing: CredentialAction): void
  onConfirm(credential: CredentialRecheck): void
}) {
  const { name } = credential
  if ('why' in credential) {
    const { id, lookedAt, evidence } = credential
    return (
      <CredentialCard
        credential={credential}
        kinds={kinds}
        hasRegistry={hasRegistry}
        more={[{ label: 'Evidence', value: `${formatLongDate(lookedAt)}${evidence === null ? '' : `: ${evidence}`}` }]}
      >
        {mayConfirm(credential, kinds) && (
          <Button
            aria-label={`Confirm ${name}`}
            busy={busy === id}
            busyLabel="Saving"
            onClick={() => onConfirm(credential)}
          >
            Confirm
          </Button>
        )}
        <SecondaryAction label="Ask" name={name} onClick={() => onAct({ act: 'ask', credential })} />
        <SecondaryAction label="Revoke" name={name} onClick={() => onAct({ act: 'withdraw', credential })} />
      </CredentialCard>
    )
  }
  const { declinedBefore } = credential
  return (
    <CredentialCard
      credential={credential}
      kinds={kinds}
      hasRegistry={hasRegistry}
      more={declinedBefore ? [{ label: 'Previously declined', value: declinedBefore }] : []}
    >
      <Button aria-label={`Approve ${name}`} onClick={() => onAct({ act: 'approve', credential })}>
        Approve
      </Button>
      <SecondaryAction label="Ask" name={name} onClick={() => onAct({ act: 'ask', credential })} />
      <SecondaryAction label="Decline" name={name} onClick={() => onAct({ act: 'decline', credential })} />
    </CredentialCard>
  )
}

/** A secondary action beside the most common one. */
function SecondaryAction({ label, name, onClick }: { label: string; name: string; onClick(): void }) {
  return (
    <Button variant="line" aria-label={`${label} ${name}`} onClick={onClick}>
      {label}
    </Button>
  )
}
