/** A flow as a small picture, drawn from its steps. */
import { cardWidth, heightOf, placesOf } from '../model/layout'
import type { Step } from '../model/steps'

/** Tall steps would make the picture unreadable: a step is as high as its head. */
const height = 74

export function FlowDrawing({ steps }: { steps: readonly Step[] }) {
  const places = placesOf(steps.map(({ position: _none, ...step }) => step))
  const placed = steps.flatMap((step) => {
    const place = places.get(step.id)
    return place ? [{ step, ...place }] : []
  })
  const width = Math.max(...placed.map(({ x }) => x + cardWidth))
  const bottom = Math.max(...placed.map(({ step, y }) => y + heightOf(step)))
  const middle = (y: number) => y + height / 2
  return (
    <svg
      viewBox={`-10 -10 ${width + 20} ${Math.max(bottom, 240) + 20}`}
      width="100%"
      height={110}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden
      focusable="false"
    >
      {placed.flatMap(({ step, x, y }) =>
        [...new Set(Object.values(step.next))].flatMap((target) => {
          const to = places.get(target)
          if (!to) return []
          const [x1, y1, y2] = [x + cardWidth, middle(y), middle(to.y)]
          const bend = Math.max(40, Math.abs(to.x - x1) / 2)
          return [
            <path
              key={`${step.id} ${target}`}
              d={`M ${x1} ${y1} C ${x1 + bend} ${y1}, ${to.x - bend} ${y2}, ${to.x} ${y2}`}
              fill="none"
              stroke="var(--mantine-color-dimmed)"
              strokeWidth={7}
            />,
          ]
        }),
      )}
      {placed.map(({ step, x, y }) => (
        <rect
          key={step.id}
          x={x}
          y={y}
          width={cardWidth}
          height={height}
          rx={18}
          fill="var(--mantine-primary-color-light)"
          stroke="var(--mantine-primary-color-filled)"
          strokeWidth={7}
        />
      ))}
    </svg>
  )
}
