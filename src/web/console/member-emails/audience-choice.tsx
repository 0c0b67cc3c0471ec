import type { MemberAudience } from '#contract/console/emails/member-emails.ts'
import { memberListQuery, USUAL_MEMBER_VIEWS } from '#contract/console/member-list.ts'
import { useSavedViews } from '../list/saved-views.tsx'
import { SelectField } from '../forms/select-field.tsx'

interface AudienceChoiceProps {
  audience: MemberAudience
  /** The audience in words, for one that is no view. */
  text: string
  /** The officer may see members, and so use saved views. */
  maySeeMembers: boolean
  error?: string | undefined
  onChange(audience: MemberAudience): void
}

const CURRENT = 'current'

/** Chooses whom an email is for: a view of the list of members. Other lists begin there. */
export function AudienceChoice({ maySeeMembers, ...props }: AudienceChoiceProps) {
  return maySeeMembers ? <AnyView {...props} /> : <OpenView {...props} />
}

function AnyView(props: Omit<AudienceChoiceProps, 'maySeeMembers'>) {
  const saved = useSavedViews('members')
  return (
    <ViewSelect
      {...props}
      views={[...USUAL_MEMBER_VIEWS, ...(saved.value?.views ?? [])]}
      hint="A view of the list of members. For another list, filter or select members there and choose Email."
    />
  )
}

/** For officers who may not see members: views that do not tell who is on them. */
function OpenView(props: Omit<AudienceChoiceProps, 'maySeeMembers'>) {
  const views = USUAL_MEMBER_VIEWS.filter(({ query }) => query === '' || query.startsWith('status='))
  return <ViewSelect {...props} views={views} hint="A view of the list of members." />
}

interface ViewSelectProps extends Omit<AudienceChoiceProps, 'maySeeMembers'> {
  views: readonly { name: string; query: string }[]
  hint: string
}

function ViewSelect({ audience, text, error, onChange, views, hint }: ViewSelectProps) {
  const offered = views.flatMap(({ name, query }) => {
    const filter = readFilter(query)
    return filter ? [{ name, query, filter }] : []
  })
  const current = offered.find(({ filter }) => 'filter' in audience && isSame(filter, audience.filter))
  return (
    <SelectField
      label="Send to"
      name="audience"
      value={current?.query ?? CURRENT}
      error={error}
      hint={hint}
      options={[
        ...(current ? [] : [[CURRENT, text] as const]),
        ...offered.map(
          ({ name, query }) => [query, name === 'All' ? 'Everyone on the list of members' : name] as const,
        ),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const chosen = offered.find(({ query }) => query === value)
        if (chosen) onChange({ filter: chosen.filter })
      }}
    />
  )
}

/** The filter of a view; its order and page do not matter. null: not one that this release knows. */
function readFilter(query: string) {
  const parameters = Object.fromEntries(new URLSearchParams(query))
  const { success, data } = memberListQuery.safeParse(parameters)
  if (!success) return null
  const { order: _order, descending: _descending, ...filter } = data
  return filter
}

function isSame(one: object, other: object): boolean {
  const text = (filter: object) => JSON.stringify(Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return text(one) === text(other)
}
