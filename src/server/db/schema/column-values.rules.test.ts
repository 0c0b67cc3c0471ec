import { expect, test } from 'vitest'
import { readFlags, readJson, writeFlags, writeJson, type JsonText } from './column-values.ts'

interface Table {
  id: string
  isOpen: number
  meals: JsonText<string[]>
  failure: JsonText<string[]> | null
}

const row: Table = { id: 'gala', isOpen: 1, meals: '["Vegetarian"]', failure: null }

test('JSON columns are read with their types, and null stays null', () => {
  const read = readJson(row, 'meals', 'failure')
  const meals: string[] = read.meals
  const failure: string[] | null = read.failure
  expect([meals, failure]).toEqual([['Vegetarian'], null])
  expect(read).toEqual({ id: 'gala', isOpen: 1, meals: ['Vegetarian'], failure: null })
  expect(row.meals).toBe('["Vegetarian"]')
})

test('flags are read as true and false', () => {
  const read = readFlags(row, 'isOpen')
  const isOpen: boolean = read.isOpen
  expect(isOpen).toBe(true)
  expect(readFlags({ ...row, isOpen: 0 }, 'isOpen').isOpen).toBe(false)
})

test('what was read is written as it was', () => {
  expect(writeFlags(writeJson(readFlags(readJson(row, 'meals'), 'isOpen'), 'meals'), 'isOpen')).toEqual(row)
})
