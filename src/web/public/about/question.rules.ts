import type { FaqEntry } from '#contract/public/association.ts'

/** Whether the question or its answer has every word of the query, or what a visitor has typed of it. */
export function matchesQuery({ question, answer }: FaqEntry, query: string): boolean {
  const text = `${question} ${answer.replaceAll(/<[^>]*>/g, ' ')}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The id of an answer, for links to it: 'What are the dues?' becomes 'what-are-the-dues'. */
export function slug(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
