import { describe, expect, test } from 'vitest'
import { initials, platesFor } from './plate.rules.ts'

describe('initials', () => {
  test.each([
    ['Dr. Meera Raghuvanshi', 'MR'],
    ['Dr. Lakshmi Narasimhan-Cole', 'LN'],
    ['Kavya', 'K'],
    ['Prof. Anil Kumar Bose', 'AB'],
    ['', ''],
  ])('of %s are %s', (name, expected) => {
    expect(initials(name)).toBe(expected)
  })
})

describe('plates', () => {
  test('a person keeps the plate, and neighbors never share one', () => {
    const names = Array.from({ length: 200 }, (_, index) => `Dr. Person ${index}`)
    const plates = platesFor(names)
    expect(platesFor(names)).toEqual(plates)
    expect(plates.every((plate, index) => index === 0 || plate !== plates[index - 1])).toBe(true)
    expect(new Set(plates).size).toBe(12)
    expect(plates.every((plate) => /^\/art\/plate-(0[1-9]|1[0-2])\.svg$/.test(plate))).toBe(true)
  })
})
