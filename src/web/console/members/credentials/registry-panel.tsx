import {
  readRegistryRecord,
  type CredentialRecheck,
  type PendingCredential,
  type RegistryLookup,
  type RegistryRecord,
} from '#contract/console/credentials.ts'
import { listLabel, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { formatDay, isDay } from '#contract/dates/days.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'

type Credential = PendingCredential | CredentialRecheck

/** What the public registry says about the number, beside what the member claims. */
export function RegistryPanel({ credential, kind }: { credential: Credential; kind: CredentialKind }) {
  const loaded = useLoaded(readRegistryRecord, { params: { id: credential.id } })
  // Never one person's record beside another's claim.
  const shown = loaded.isStale ? { ...loaded, value: null } : loaded
  return (
    <section className="registry" aria-label="Registry">
      <WhenLoaded loaded={shown} what="the registry">
        {({ record, agrees }) => (
          <>
            <p className="registry-verdict">
              <Verdict record={record} agrees={agrees} />
            </p>
            {record && <Comparison credential={credential} kind={kind} record={record} />}
          </>
        )}
      </WhenLoaded>
    </section>
  )
}

function Verdict({ record, agrees }: RegistryLookup) {
  if (!record) return <Badge tone="bad">No such number in the registry</Badge>
  const differs = [agrees?.name === false && 'Name', agrees?.state === false && 'State'].filter((one) => one !== false)
  return (
    <>
      {!record.isActive && <Badge tone="bad">Number deactivated</Badge>}
      {record.isOrganization && <Badge tone="bad">Number of an organization</Badge>}
      {differs.map((what) => (
        <Badge key={what} tone="warn">{`${what} differs`}</Badge>
      ))}
      {differs.length === 0 && (
        <Badge tone="ok">{agrees?.state === true ? 'Name and state agree' : 'Name agrees'}</Badge>
      )}
    </>
  )
}

function Comparison({
  credential: { name, licenceState },
  kind,
  record,
}: {
  credential: Credential
  kind: CredentialKind
  record: RegistryRecord
}) {
  const state = kind.fields.find(({ check }) => check === 'us-state')
  const { taxonomies, otherNames, degree, place, updatedOn } = record
  const licenses = taxonomies.filter(({ state: of, license }) => of !== '' || license !== '')
  const rows = [
    { label: 'Name', member: name, registry: [[record.name, degree].filter(Boolean).join(', '), ...otherNames] },
    {
      label: state ? listLabel(state) : 'License',
      member: licenceState,
      registry: unique(licenses.map(({ state: of, license }) => [of, license].filter(Boolean).join(' '))),
    },
    { label: 'Specialty', member: '', registry: unique(taxonomies.map((one) => one.name)) },
    { label: 'Practice', member: '', registry: [place] },
    { label: 'Updated', member: '', registry: [isDay(updatedOn) ? formatDay(updatedOn) : updatedOn] },
  ]
  return (
    <table className="data-table unfolded registry-table">
      <caption className="visually-hidden">What the member and the registry say</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What</span>
          </th>
          <th scope="col">Member</th>
          <th scope="col">Registry</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, member, registry }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{member || '–'}</td>
            <td>
              {registry.some(Boolean) ? registry.filter(Boolean).map((line) => <div key={line}>{line}</div>) : '–'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)]
}
