import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pass, replaceClock } from '#web/pages/render-page.tsx'
import { CarouselControls } from './carousel-controls.tsx'
import { useCarousel } from './use-carousel.ts'

function prefersLessMotion(matches: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener() {}, removeEventListener() {} }))
}

beforeEach(() => {
  replaceClock()
  prefersLessMotion(false)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const NAMES = ['One', 'Two', 'Three']

function Slides({ count = 3 }: { count?: number }) {
  const carousel = useCarousel({ count, everyMs: 5_000 })
  return (
    <>
      <section aria-label="Slides" {...carousel.hold}>
        <p data-testid="slide">{NAMES[carousel.index]}</p>
        <CarouselControls carousel={carousel} label="Slides" slides={NAMES.slice(0, count)} />
      </section>
      <button type="button">Elsewhere</button>
    </>
  )
}

const shown = () => screen.getByTestId('slide').textContent
const press = (name: string) => screen.getByRole('button', { name })
/** Browsers draw no focus ring after a press of the pointer; jsdom does not know what moved the focus. */
function focusByPointer() {
  const matches = Element.prototype.matches
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function (this: Element, selector) {
    return selector !== ':focus-visible' && matches.call(this, selector)
  })
}
function setUp(count?: number) {
  const view = render(count === undefined ? <Slides /> : <Slides count={count} />)
  return { ...view, person: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) }
}

test('a slide every five seconds, around', async () => {
  setUp()
  expect(shown()).toBe('One')
  await pass(4_900)
  expect(shown()).toBe('One')
  await pass(200)
  expect(shown()).toBe('Two')
  await pass(5_000)
  expect(shown()).toBe('Three')
  await pass(5_000)
  expect(shown()).toBe('One')
})

test('previous and next go around, a dot goes where it says', () => {
  setUp()
  act(() => press('Previous slide').click())
  expect(shown()).toBe('Three')
  act(() => press('Next slide').click())
  expect(shown()).toBe('One')
  act(() => press('Slide 2 of 3: Two').click())
  expect(shown()).toBe('Two')
  expect(press('Slide 2 of 3: Two').getAttribute('aria-current')).toBe('true')
})

test('after it was moved by hand it rests for three seconds more', async () => {
  setUp()
  act(() => press('Next slide').click())
  expect(shown()).toBe('Two')
  await pass(7_800)
  expect(shown()).toBe('Two')
  await pass(400)
  expect(shown()).toBe('Three')
})

describe('after a click of the mouse it goes on by itself', () => {
  test.each(['Next slide', 'Slide 2 of 3: Two'])('%s: three seconds and a slide later', async (name) => {
    focusByPointer()
    const { person } = setUp()
    await person.click(press(name))
    expect(document.activeElement).toBe(press(name))
    expect(shown()).toBe('Two')
    await pass(7_800)
    expect(shown()).toBe('Two')
    await pass(400)
    expect(shown()).toBe('Three')
  })

  test('with a finger, which leaves no pointer behind', async () => {
    focusByPointer()
    const { person } = setUp()
    await person.pointer({ keys: '[TouchA]', target: press('Previous slide') })
    expect(shown()).toBe('Three')
    await pass(8_200)
    expect(shown()).toBe('One')
  })

  test('until the pointer moves on to something else of it', async () => {
    focusByPointer()
    const { person } = setUp()
    await person.click(press('Next slide'))
    await person.hover(screen.getByTestId('slide'))
    await pass(20_000)
    expect(shown()).toBe('Two')
  })

  test('until a key is pressed there', async () => {
    focusByPointer()
    const { person } = setUp()
    await person.click(press('Next slide'))
    await person.keyboard('{Enter}')
    expect(shown()).toBe('Three')
    await pass(20_000)
    expect(shown()).toBe('Three')
  })
})

test('the button that lets it go on does so while the pointer still rests on it', async () => {
  focusByPointer()
  const { person } = setUp()
  await person.click(press('Pause slides'))
  await person.click(press('Play slides'))
  await pass(5_100)
  expect(shown()).toBe('Two')
})

test('paused it stands until it is let go on', async () => {
  const { person } = setUp()
  await person.click(press('Pause slides'))
  await person.click(press('Elsewhere'))
  await pass(60_000)
  expect(shown()).toBe('One')
  await person.click(press('Play slides'))
  await person.click(press('Elsewhere'))
  await pass(5_100)
  expect(shown()).toBe('Two')
})

describe('it stands still', () => {
  test('while the pointer rests on it', async () => {
    const { person } = setUp()
    await person.hover(screen.getByTestId('slide'))
    await pass(20_000)
    expect(shown()).toBe('One')
    await person.hover(press('Elsewhere'))
    await pass(5_100)
    expect(shown()).toBe('Two')
  })

  test('while the focus of the keyboard is inside', async () => {
    setUp()
    act(() => press('Next slide').focus())
    await pass(20_000)
    expect(shown()).toBe('One')
    act(() => press('Elsewhere').focus())
    await pass(5_100)
    expect(shown()).toBe('Two')
  })

  test('for whoever wants less motion, without a button to start it', async () => {
    prefersLessMotion(true)
    setUp()
    await pass(60_000)
    expect(shown()).toBe('One')
    expect(screen.queryByRole('button', { name: 'Pause slides' })).toBeNull()
    act(() => press('Next slide').click())
    expect(shown()).toBe('Two')
  })

  test('with a single slide', async () => {
    setUp(1)
    await pass(60_000)
    expect(shown()).toBe('One')
  })
})
