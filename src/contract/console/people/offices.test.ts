import { expect, test } from 'vitest'
import { headOffice, movesUpTo, roleOf } from './offices.ts'

const PHYSICIANS = ['President', 'President Elect', 'Vice President', 'Secretary', 'Treasurer', 'Past President']
const ENGINEERS = ['Secretary', 'Chair', 'Chair-Elect', 'Treasurer', 'Immediate Past Chair']
const CLUB = ['Convener', 'Treasurer']

test.each([
  [PHYSICIANS, 'President'],
  [ENGINEERS, 'Chair'],
  [['Treasurer', 'Chairperson', 'Incoming chairperson'], 'Chairperson'],
  [['Vice President', ' president '], ' president '],
  [CLUB, 'Convener'],
  [['Treasurer', 'Vice Chair', 'Lead'], 'Lead'],
  [['Treasurer', 'Vice President', 'Past President', ''], 'President'],
  [[], 'President'],
])('of %j, the head is %j', (offices, head) => {
  expect(headOffice(offices)).toBe(head)
})

test.each([
  ['President', PHYSICIANS, 'President Elect'],
  ['Past President', PHYSICIANS, 'President'],
  ['President Elect', PHYSICIANS, null],
  ['Vice President', PHYSICIANS, null],
  ['Chair', ENGINEERS, 'Chair-Elect'],
  ['Immediate Past Chair', ENGINEERS, 'Chair'],
  ['Convener', CLUB, null],
  ['Treasurer', CLUB, null],
])('to %j of %j moves up %j', (office, offices, from) => {
  expect(movesUpTo(office, offices)).toBe(from)
})

test.each([
  ['President', PHYSICIANS, 'president'],
  [' treasurer ', PHYSICIANS, 'treasurer'],
  ['President Elect', PHYSICIANS, null],
  ['Chair', ENGINEERS, 'president'],
  ['Convener', CLUB, 'president'],
  ['', CLUB, null],
  ['Treasurer', ['Treasurer', 'Vice President'], 'treasurer'],
  ['President', ['Chair', 'Chair Elect', 'President'], null],
])('the office %j of %j goes with the role %j', (office, offices, role) => {
  expect(roleOf(office, offices)).toBe(role)
})
