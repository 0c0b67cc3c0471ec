import type { ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { CredentialRecheck, PendingCredential } from '#contract/console/credentials.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { Badge } from '#web/ui/badge.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Panel } from '#web/console/ui/panel.tsx'

const REGISTRY = 'https://npiregistry.cms.hhs.gov/provider-view/'
export const TRAINING_KINDS = { student: 'Medical student', resident: 'Resident or fellow' }

type Item = { label: string; value: ReactNode }

/** What a member submitted, with the way to the registry, the open question and the actions. */
export function CredentialCard({
  credential,
  more,
  children,
}: {
  credential: PendingCredential | CredentialRecheck
  /** Shown after the submitted data. */
  more: Item[]
  children: ReactNode
}) {
  const { accountId, name, email, givenAt, asked } = credential
  return (
    <Panel title={name} action={<Mark credential={credential} />}>
      <KeyValueList
        items={[
          ...submittedItems(credential),
          { label: 'Submitted', value: formatLongDate(givenAt) },
          { label: 'Member', value: <Link to={`/console/members/${accountId}`}>{email}</Link> },
          ...more,
          ...(asked ? [{ label: `Question sent ${formatLongDate(asked.at)}`, value: <Question asked={asked} /> }] : []),
        ]}
      />
      <div className="buttons">{children}</div>
    </Panel>
  )
}

function submittedItems({ kind, npi, licenceState, place, endsOn }: PendingCredential | CredentialRecheck): Item[] {
  if (kind !== 'licence') {
    return [
      { label: TRAINING_KINDS[kind], value: place },
      { label: kind === 'student' ? 'Graduation' : 'End of training', value: endsOn && formatDay(endsOn) },
    ]
  }
  return [
    {
      label: 'NPI',
      value: (
        <a href={`${REGISTRY}${encodeURIComponent(npi)}`} target="_blank" rel="noreferrer">
          {npi} in the registry
        </a>
      ),
    },
    { label: 'License', value: licenceState },
  ]
}

export function Mark({ credential }: { credential: PendingCredential | CredentialRecheck }) {
  if ('why' in credential && credential.why === 'training') return <Badge tone="warn">Training ended</Badge>
  if (credential.kind !== 'licence') return <Badge tone="quiet">In training</Badge>
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
