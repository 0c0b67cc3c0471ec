import { describe, expect, test } from 'vitest'
import {
  formatSelection,
  insertPicture,
  linkSelection,
  type MarkdownEdit,
  type TextEdit,
} from './markdown-edits.rules.ts'

/** Reads `[` and `]` as the ends of the selection. */
function read(text: string): [whole: string, start: number, end: number] {
  const start = text.indexOf('‹')
  const end = text.indexOf('›') - 1
  return [text.replaceAll(/[‹›]/g, ''), start, end]
}

function applied(whole: string, { from, to, text, select: [start, end] }: TextEdit): string {
  const next = whole.slice(0, from) + text + whole.slice(to)
  return `${next.slice(0, start)}‹${next.slice(start, end)}›${next.slice(end)}`
}

describe('formats the selection', () => {
  test.each<[MarkdownEdit, string, string]>([
    ['bold', 'Come ‹early›.', 'Come **‹early›**.'],
    ['bold', 'Come **‹early›**.', 'Come ‹early›.'],
    ['bold', 'Come‹ early ›now', 'Come **‹early›** now'],
    ['bold', 'Come ‹›', 'Come **‹›**'],
    ['italic', '**‹early›**', '***‹early›***'],
    ['italic', '*‹early›*', '‹early›'],
    ['italic', '***‹early›***', '**‹early›**'],
    ['heading', 'What ‹you› get\nA visit', '## What you get‹›\nA visit'],
    ['heading', '## What you get‹›', 'What you get‹›'],
    ['list', 'For:\n‹a\nb›\nend', 'For:\n‹- a\n- b›\nend'],
    ['list', '‹- a\n- b›', '‹a\nb›'],
    ['list', '‹- a\nb›', '‹- a\n- b›'],
    ['quote', '## ‹›Said', '> Said‹›'],
  ])('%s: %s', (edit, before, after) => {
    const [whole, start, end] = read(before)
    expect(applied(whole, formatSelection(edit, whole, start, end))).toBe(after)
  })
})

describe('inserts', () => {
  test.each([
    ['See ‹the bylaws›.', '/documents/bylaws.pdf', 'See [the bylaws](/documents/bylaws.pdf)‹›.'],
    ['See ‹›', '/documents/bylaws.pdf', 'See [Bylaws](/documents/bylaws.pdf)‹›'],
    ['See ‹them›', '', 'See [them](‹›)'],
    ['‹a [b]›', '/c', String.raw`[a \[b\]](/c)‹›`],
  ])('a link at %s', (before, address, after) => {
    const [whole, start, end] = read(before)
    expect(applied(whole, linkSelection(whole, start, end, { label: 'Bylaws', address }))).toBe(after)
  })

  test.each([
    ['‹›', '![A lamp](/media/a.jpg)\n‹›'],
    ['Look:‹›', 'Look:\n\n![A lamp](/media/a.jpg)\n‹›'],
    ['Look:\n‹›More', 'Look:\n\n![A lamp](/media/a.jpg)\n\n‹›More'],
  ])('a picture at %s', (before, after) => {
    const [whole, start, end] = read(before)
    expect(applied(whole, insertPicture(whole, start, end, { alt: 'A lamp', address: '/media/a.jpg' }))).toBe(after)
  })
})
