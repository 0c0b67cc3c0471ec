import { expect, test } from 'vitest'
import { linePath, PLOT, roundUp, stackedPaths } from './chart.rules.ts'

test.each([
  [0, 1],
  [1, 1],
  [7, 10],
  [14, 20],
  [21, 25],
  [130, 200],
  [1_268, 2_000],
  [842_500, 1_000_000],
])('the axis for %s ends at %s', (value, top) => expect(roundUp(value)).toBe(top))

test('a line goes from left to right, and stops where its values end', () => {
  expect(linePath([0, 10], 10)).toBe('M0.0 120.0L300.0 0.0')
  expect(linePath([5], 10, 31)).toBe('M0.0 60.0')
})

test('areas are stacked: each begins where the one below ends', () => {
  const [below, above] = stackedPaths(
    [
      [5, 5],
      [10, 0],
    ],
    10,
  )
  expect(below).toBe(`M0.0 60.0L${PLOT.width}.0 0.0L${PLOT.width}.0 120.0L0.0 120.0Z`)
  expect(above).toBe(`M0.0 0.0L${PLOT.width}.0 0.0L${PLOT.width}.0 0.0L0.0 60.0Z`)
})

test('nothing to show is no path', () => expect(stackedPaths([], 1)).toEqual([]))
