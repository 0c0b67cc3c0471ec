import type { ReactNode } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS, type IconName } from './console-icons.ts'

export interface TimelineEntry {
  id: string
  icon: IconName
  /** What happened, as a sentence; names may be links. */
  text: ReactNode
  /** When, and by whom. */
  when: string
  /** A quotation below, such as a note. */
  quote?: ReactNode
  actions?: ReactNode
}

export interface TimelineDay {
  heading: string
  entries: readonly TimelineEntry[]
}

/** What happened, newest first, by day. */
export function Timeline({ days }: { days: readonly TimelineDay[] }) {
  return days.map(({ heading, entries }) => (
    <section key={heading}>
      <h3 className="console-timeline-day">{heading}</h3>
      <ol className="console-timeline">
        {entries.map(({ id, icon, text, when, quote, actions }) => (
          <li key={id}>
            <Icon d={ICONS[icon]} strokeWidth={1.9} />
            <div>
              {text} <span className="console-timeline-when">{when}</span>
              {quote && <div className="console-timeline-quote">{quote}</div>}
              {actions && <div className="buttons">{actions}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  ))
}
