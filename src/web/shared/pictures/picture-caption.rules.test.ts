import { expect, test } from 'vitest'
import { captionOf, pictureName } from './picture-caption.rules.ts'

test.each([
  ['lamp-lighting-2025.jpg', 'Lamp lighting 2025'],
  ['clinic.svg', 'Clinic'],
  ['kites-in-january.svg', 'Kites in January'],
  ['clinic-saturdays.jpg', 'Clinic Saturdays'],
  ['white_coats at__the-capitol.webp', 'White coats at the capitol'],
  ['dr.iyer.png', 'Dr.iyer'],
  ['', ''],
])('%j is called %j', (filename, name) => {
  expect(pictureName(filename)).toBe(name)
})

test('the caption is the officer’s text, nothing when that is empty, or else derived from the file name', () => {
  expect(captionOf({ filename: 'img-4103.jpg', caption: 'Lamps' })).toBe('Lamps')
  expect(captionOf({ filename: 'img-4103.jpg', caption: '' })).toBe('')
  expect(captionOf({ filename: 'lamp-lighting.jpg' })).toBe('Lamp lighting')
})
