import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { advanceTime, fakeClock } from '#tests/support/web/page-test-helpers.tsx'
import { CarouselControls } from './carousel-controls.tsx'
import { useCarousel } from './use-carousel.ts'

function prefersLessMotion(matches: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener() {}, removeEventListener() {} }))
}

beforeEach(() => {
  fakeClock()
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
      <section aria-label="Slides" {...carousel.holdHandlers}>
        <p data-testid="slide">{NAMES[carousel.index]}</p>
        <CarouselControls carousel={carousel} label="Slides" slides={NAMES.slice(0, count)} />
      </section>
      <button type="button">Elsewhere</button>
    </>
  )
}

const shown = () => screen.getByTestId('slide').textContent
const press = (name: string) => screen.getByRole('button', { name })
/** Browsers show no focus outline after a pointer click; jsdom does not know what moved the focus. */
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

test('a new slide every five seconds, wrapping around', async () => {
  setUp()
  expect(shown()).toBe('One')
  await advanceTime(4_900)
  expect(shown()).toBe('One')
  await advanceTime(200)
  expect(shown()).toBe('Two')
  await advanceTime(5_000)
  expect(shown()).toBe('Three')
  await advanceTime(5_000)
  expect(shown()).toBe('One')
})

test('previous and next wrap around, a dot goes to its slide', () => {
  setUp()
  act(() => press('Previous slide').click())
  expect(shown()).toBe('Three')
  act(() => press('Next slide').click())
  expect(shown()).toBe('One')
  act(() => press('Slide 2 of 3: Two').click())
  expect(shown()).toBe('Two')
  expect(press('Slide 2 of 3: Two').getAttribute('aria-current')).toBe('true')
})

test('after manual navigation it pauses three seconds longer', async () => {
  setUp()
  act(() => press('Next slide').click())
  expect(shown()).toBe('Two')
  await advanceTime(7_800)
  expect(shown()).toBe('Two')
  await advanceTime(400)
  expect(shown()).toBe('Three')
})

describe('after a mouse click it continues', () => {
  test.each(['Next slide', 'Slide 2 of 3: Two'])('%s: three seconds and a slide later', async (name) => {
    focusByPointer()
    const { person } = setUp()
    await person.click(press(name))
    expect(document.activeElement).toBe(press(name))
    expect(shown()).toBe('Two')
    await advanceTime(7_800)
    expect(shown()).toBe('Two')
    await advanceTime(400)
    expect(shown()).toBe('Three')
  })

  test('with a finger, which does not hover', async () => {
    focusByPointer()
    const { person } = setUp()
    await person.pointer({ keys: '[TouchA]', target: press('Previous slide') })
    expect(shown()).toBe('Three')
    await advanceTime(8_200)
    expect(shown()).toBe('One')
  })

  test('until the pointer moves to another part of it', async () => {
    focusByPointer()
    const { person } = setUp()
    await person.click(press('Next slide'))
    await person.hover(screen.getByTestId('slide'))
    await advanceTime(20_000)
    expect(shown()).toBe('Two')
  })

  test('until a key is pressed there', async () => {
    focusByPointer()
    const { person } = setUp()
    await person.click(press('Next slide'))
    await person.keyboard('{Enter}')
    expect(shown()).toBe('Three')
    await advanceTime(20_000)
    expect(shown()).toBe('Three')
  })
})

test('the play button works while the pointer still hovers it', async () => {
  focusByPointer()
  const { person } = setUp()
  await person.click(press('Pause slides'))
  await person.click(press('Play slides'))
  await advanceTime(5_100)
  expect(shown()).toBe('Two')
})

test('once paused it stays until played', async () => {
  const { person } = setUp()
  await person.click(press('Pause slides'))
  await person.click(press('Elsewhere'))
  await advanceTime(60_000)
  expect(shown()).toBe('One')
  await person.click(press('Play slides'))
  await person.click(press('Elsewhere'))
  await advanceTime(5_100)
  expect(shown()).toBe('Two')
})

describe('it does not move', () => {
  test('while the pointer hovers', async () => {
    const { person } = setUp()
    await person.hover(screen.getByTestId('slide'))
    await advanceTime(20_000)
    expect(shown()).toBe('One')
    await person.hover(press('Elsewhere'))
    await advanceTime(5_100)
    expect(shown()).toBe('Two')
  })

  test('while the keyboard focus is inside', async () => {
    setUp()
    act(() => press('Next slide').focus())
    await advanceTime(20_000)
    expect(shown()).toBe('One')
    act(() => press('Elsewhere').focus())
    await advanceTime(5_100)
    expect(shown()).toBe('Two')
  })

  test('with reduced motion, and has no button to start it', async () => {
    prefersLessMotion(true)
    setUp()
    await advanceTime(60_000)
    expect(shown()).toBe('One')
    expect(screen.queryByRole('button', { name: 'Pause slides' })).toBeNull()
    act(() => press('Next slide').click())
    expect(shown()).toBe('Two')
  })

  test('with a single slide', async () => {
    setUp(1)
    await advanceTime(60_000)
    expect(shown()).toBe('One')
  })
})
