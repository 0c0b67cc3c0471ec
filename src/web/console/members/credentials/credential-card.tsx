import type { ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import { hasNpi, isTraining, kindOf, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { shownAnswers } from '#contract/credentials/shown-answers.ts'
import type { CredentialRecheck, PendingCredential } from '#contract/console/credentials.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { RegistryPanel } from './registry-panel.tsx'

type Item = { label: string; value: ReactNode }

/** What a member submitted, with the way to the registry, the open question and the actions. */
export function CredentialCard({
  credential,
  kinds,
  hasRegistry,
  more,
  children,
}: {
  credential: PendingCredential | CredentialRecheck
  kinds: readonly CredentialKind[]
  /** Whether the site looks numbers up. */
  hasRegistry: boolean
  /** Shown after the submitted data. */
  more: Item[]
  children: ReactNode
}) {
  const { accountId, name, email, givenAt, asked, npiFits } = credential
  const kind = kindOf(kinds, credential.kind)
  return (
    <Panel title={name} action={<Mark credential={credential} kinds={kinds} />}>
      <KeyValueList
        items={[
          ...submittedItems(credential, kinds),
          { label: 'Submitted', value: formatLongDate(givenAt) },
          { label: 'Member', value: <Link to={`/console/members/${accountId}`}>{email}</Link> },
          ...more,
          ...(asked ? [{ label: `Question sent ${formatLongDate(asked.at)}`, value: <Question asked={asked} /> }] : []),
        ]}
      />
      {hasRegistry && npiFits && hasNpi(kind) && <RegistryPanel credential={credential} kind={kind} />}
      <div className="buttons">{children}</div>
    </Panel>
  )
}

function submittedItems(credential: PendingCredential | CredentialRecheck, kinds: readonly CredentialKind[]): Item[] {
  const kind = kindOf(kinds, credential.kind)
  const answers = shownAnswers(kind, credential).map(({ label, text, registryUrl }) => ({
    label,
    value:
      registryUrl === null ? (
        text
      ) : (
        <a href={registryUrl} target="_blank" rel="noreferrer">
          {text} in the registry
        </a>
      ),
  }))
  return isTraining(kind) ? [{ label: 'Kind', value: kind.name }, ...answers] : answers
}

export function Mark({
  credential,
  kinds,
}: {
  credential: PendingCredential | CredentialRecheck
  kinds: readonly CredentialKind[]
}) {
  const kind = kindOf(kinds, credential.kind)
  if ('why' in credential && credential.why === 'training') return <Badge tone="warn">Training ended</Badge>
  if (isTraining(kind)) return <Badge tone="quiet">In training</Badge>
  if (!hasNpi(kind)) return <Badge tone="quiet">{kind.name}</Badge>
  return (
    <Badge tone={credential.npiFits ? 'ok' : 'bad'}>
      {credential.npiFits ? 'Valid check digit' : 'Invalid check digit'}
    </Badge>
  )
}

function Question({ asked: { question, answeredAt } }: { asked: NonNullable<PendingCredential['asked']> }) {
  return (
    <>
      {question}{' '}
      {answeredAt ? (
        <Badge tone="ok">Confirmed by member, {formatLongDate(answeredAt)}</Badge>
      ) : (
        <Badge tone="quiet">No reply yet</Badge>
      )}
    </>
  )
}
