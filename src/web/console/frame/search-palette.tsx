import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Dialog, DialogPanel } from '@headlessui/react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { searchConsole, searchLimits, type SearchGroup } from '#contract/console/search.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { Icon } from '#web/ui/icon.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import type { Officer } from '../shell/use-officer.ts'
import { ICONS } from '../ui/console-icons.ts'
import { navigationFor, newItemsFor } from './navigation.ts'
import { readOpened, withOpened, type Found } from './opened-results.rules.ts'

const PAUSE_MS = 150
/** Removed on logging out, like everything whose key starts with `console-`. */
const OPENED_KEY = 'console-opened'

const GROUP_NAMES: Record<SearchGroup, string> = {
  members: 'Members',
  events: 'Events',
  messages: 'Messages',
  payments: 'Payments',
  content: 'Pages & content',
}

interface FoundGroup {
  name: string
  results: Found[]
}

interface SearchPaletteProps {
  open: boolean
  onClose(): void
  officer: Officer
}

/** The search over members, events, messages, payments, content and the console's own pages. */
export function SearchPalette({ open, onClose, officer }: SearchPaletteProps) {
  return (
    <Dialog open={open} onClose={onClose} className="dialog-layer" aria-label="Search the console">
      <div className="dialog-backdrop" aria-hidden="true" />
      <DialogPanel className="palette">
        <Search officer={officer} onClose={onClose} />
      </DialogPanel>
    </Dialog>
  )
}

function Search({ officer, onClose }: Omit<SearchPaletteProps, 'open'>) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const { groups, failure, isSearching } = useSearch(text, officer)

  function choose(found: Found | null) {
    if (!found) return
    localStore.set(OPENED_KEY, withOpened(localStore.get(OPENED_KEY), found))
    onClose()
    void navigate(found.url)
  }

  return (
    <Combobox<Found | null> value={null} onChange={choose}>
      <div className="palette-field">
        <Icon d={ICONS.search} />
        <ComboboxInput
          autoFocus
          aria-label="Search members, events, pages, messages, payments"
          placeholder="Search members, events, pages, messages, payments"
          autoComplete="off"
          maxLength={searchLimits.text}
          onChange={({ target }) => setText(target.value)}
          // The list would take the key to close itself, but it is always open.
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
        <button type="button" className="icon" aria-label="Close search" onClick={onClose}>
          <Icon d={ICONS.cross} />
        </button>
      </div>
      <ComboboxOptions static modal={false} className="palette-results">
        {groups.map(({ name, results }) => (
          <div key={name} role="group" aria-label={name}>
            <h3 aria-hidden="true">{name}</h3>
            {results.map((found) => (
              <ComboboxOption key={`${found.url} ${found.title}`} value={found}>
                <span>{found.title}</span>
                <small>{found.detail}</small>
              </ComboboxOption>
            ))}
          </div>
        ))}
      </ComboboxOptions>
      <p role="status" className="palette-status">
        {failure ??
          (isSearching
            ? 'Searching...'
            : groups.length === 0
              ? text.trim() === ''
                ? 'Type a name, a title, a receipt number or a page of the console.'
                : `Nothing found for “${text.trim()}”.`
              : '')}
      </p>
    </Combobox>
  )
}

/** Results as the officer types; before that, what was opened last. */
function useSearch(text: string, officer: Officer) {
  const [answer, setAnswer] = useState<{ text: string; groups: FoundGroup[]; failure: string | null } | null>(null)
  const wanted = text.trim()

  useEffect(() => {
    if (wanted.length < 2) return
    let isCurrent = true
    const show = (groups: FoundGroup[], failure: string | null) =>
      isCurrent && setAnswer({ text: wanted, groups, failure })
    const timer = setTimeout(() => {
      void callAsOfficer(searchConsole, { query: { q: wanted } }).then(
        ({ groups }) =>
          show(
            groups.map(({ group, results }) => ({ name: GROUP_NAMES[group], results })),
            null,
          ),
        (cause: unknown) => show([], officerErrorMessage(cause)),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted])

  const pages = pagesMatching(wanted, officer)
  const known = answer && wanted.length >= 2 ? answer : null
  const opened = wanted === '' ? readOpened(localStore.get(OPENED_KEY)) : []
  return {
    groups: [
      ...(opened.length > 0 ? [{ name: 'Opened last', results: opened }] : []),
      ...(known?.groups ?? []),
      ...(pages.length > 0 ? [{ name: 'Console', results: pages }] : []),
    ],
    failure: known?.failure ?? null,
    isSearching: wanted.length >= 2 && known?.text !== wanted,
  }
}

/** The console's own pages and what can be started, by their labels. */
function pagesMatching(text: string, { permissions }: Officer): Found[] {
  if (text === '') return []
  const pages = navigationFor(permissions).flatMap(({ heading, links }) =>
    links.map(({ label, url }) => ({ title: label, detail: heading, url })),
  )
  const beginnings = newItemsFor(permissions).map(({ label, url }) => ({ title: `New: ${label}`, detail: '', url }))
  return [...pages, ...beginnings]
    .filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(text.toLowerCase()))
    .slice(0, searchLimits.perGroup)
}
