import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { EventDatePickers, EventTimePickers } from './event-when-pickers.tsx'

function Pickers({ kind, initial }: { kind: 'date' | 'time'; initial: string }) {
  const [text, setText] = useState(initial)
  const Part = kind === 'date' ? EventDatePickers : EventTimePickers
  return (
    <>
      <output>{text}</output>
      <Part path="when" text={text} onChange={setText} />
    </>
  )
}

afterEach(cleanup)

const written = () => screen.getByRole('status').textContent
const pick = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('days are read from the text and written as the site does', () => {
  render(<Pickers kind="date" initial="04/17/2027 - 04/18/2027" />)
  expect(screen.getByLabelText<HTMLInputElement>('First day').value).toBe('2027-04-17')
  expect(screen.getByLabelText<HTMLInputElement>('Last day').value).toBe('2027-04-18')
  pick('Last day', '2027-04-19')
  expect(written()).toBe('April 17-19, 2027')
  pick('First day', '2027-05-01')
  expect(written()).toBe('May 1, 2027')
  pick('Last day', '2027-05-02')
  expect(written()).toBe('May 1-2, 2027')
})

test('hours are read from the text and written as the site does', () => {
  render(<Pickers kind="time" initial="9 am - 4 pm" />)
  expect(screen.getByLabelText<HTMLInputElement>('Starts').value).toBe('09:00')
  pick('Ends', '16:30')
  expect(written()).toBe('9:00 AM to 4:30 PM')
  pick('Ends', '')
  expect(written()).toBe('9:00 AM')
  pick('Starts', '')
  expect(written()).toBe('')
})
