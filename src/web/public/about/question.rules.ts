import type { FaqEntry } from '#contract/public/association.ts'
import { slug } from '../slug.rules.ts'

/** Whether the question or its answer has every word of the query, or what a visitor has typed of it. */
export function matchesQuery({ question, answer }: FaqEntry, query: string): boolean {
  const text = `${question} ${answer.replaceAll(/<[^>]*>/g, ' ')}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export interface QuestionGroup {
  title: string
  /** For links to it. */
  id: string
  entries: FaqEntry[]
}

/** The groups in the order of their first questions; questions without a group come last. */
export function groupQuestions(entries: readonly FaqEntry[]): QuestionGroup[] {
  const titles = [...new Set(entries.flatMap(({ group }) => group ?? []))]
  const rest = titles.length > 0 ? 'Other questions' : 'Questions and answers'
  return [...titles, null]
    .map((group) => ({
      title: group ?? rest,
      id: slug(group ?? rest),
      entries: entries.filter((entry) => entry.group === group),
    }))
    .filter((group) => group.entries.length > 0)
}
