import type { ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { AgainCredential, WaitingCredential } from '#contract/console-credentials.ts'
import { formatLongDate } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { Badge } from '#web/ui/badge.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const REGISTRY = 'https://npiregistry.cms.hhs.gov/provider-view/'
const KINDS = { student: 'Medical student', resident: 'Resident or fellow' }

type Item = { label: string; value: ReactNode }

/** One person at the desk: what was given, what was asked, and the buttons. */
export function CredentialSheet({
  credential,
  more,
  children,
}: {
  credential: WaitingCredential | AgainCredential
  /** Shown after what was given. */
  more: Item[]
  children: ReactNode
}) {
  const { accountId, name, email, givenAt, asked } = credential
  return (
    <Sheet title={name} aside={<Mark credential={credential} />}>
      <KeyValueList
        items={[
          ...given(credential),
          { label: 'Given', value: formatLongDate(givenAt) },
          { label: 'Member', value: <Link to={`/console/members/${accountId}`}>{email}</Link> },
          ...more,
          ...(asked ? [{ label: `Asked ${formatLongDate(asked.at)}`, value: <Question asked={asked} /> }] : []),
        ]}
      />
      <div className="buttons">{children}</div>
    </Sheet>
  )
}

function given({ kind, npi, licenceState, place, endsOn }: WaitingCredential | AgainCredential): Item[] {
  if (kind !== 'licence') {
    return [
      { label: KINDS[kind], value: place },
      { label: kind === 'student' ? 'Graduation' : 'End of training', value: endsOn && writeDay(endsOn) },
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

function Mark({ credential }: { credential: WaitingCredential | AgainCredential }) {
  if ('why' in credential && credential.why === 'training') return <Badge tone="warn">Training is over</Badge>
  if (credential.kind !== 'licence') return <Badge tone="quiet">In training</Badge>
  return (
    <Badge tone={credential.npiFits ? 'ok' : 'bad'}>
      {credential.npiFits ? 'Check digit fits' : 'Check digit does not fit'}
    </Badge>
  )
}

function Question({ asked: { question, answeredAt } }: { asked: NonNullable<WaitingCredential['asked']> }) {
  return (
    <>
      {question}{' '}
      {answeredAt ? (
        <Badge tone="ok">Said to be right, {formatLongDate(answeredAt)}</Badge>
      ) : (
        <Badge tone="quiet">No answer yet</Badge>
      )}
    </>
  )
}
