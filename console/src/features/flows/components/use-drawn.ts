/** Nodes and edges of the drawing, derived from the steps. */
import { type Edge, type EdgeChange, MarkerType } from '@xyflow/react'
import { useEffect, useMemo, useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { cardWidth, heightOf, placesOf } from '../model/layout'
import { startType } from '../model/steps'
import { stepTexts } from '../texts'
import { edgeId, summaryOf, useEditing, useStepKeys, useStepWords } from './editing'
import type { DrawnStep } from './step-card'

/** The steps as nodes; existing nodes keep their measured sizes. */
export function useDrawnSteps() {
  const { state, names } = useEditing()
  const { choiceName, typeName } = useStepWords()
  const { keyOf } = useStepKeys()
  const { steps, selected, keys } = state
  const drawn = useMemo(() => {
    const places = placesOf(steps)
    return steps.map((step): DrawnStep => ({
      id: keyOf(step.id),
      type: 'step',
      position: places.get(step.id) ?? { x: 0, y: 0 },
      data: { step },
      selected: step.id === selected,
      deletable: step.type !== startType,
      ariaLabel: [typeName(step.type), step.id, summaryOf(step, names[step.id], choiceName)]
        .filter(Boolean)
        .join(', '),
      initialWidth: cardWidth,
      initialHeight: heightOf(step),
    }))
  }, [steps, selected, keys, names])
  const [nodes, setNodes] = useState<DrawnStep[]>(drawn)
  useEffect(() => {
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]))
      return drawn.map((node) => {
        const measured = known.get(node.id)?.measured
        return measured ? { ...node, measured } : node
      })
    })
  }, [drawn])
  return [nodes, setNodes] as const
}

/** The edges and their changes; only the drawing knows which edge is selected. */
export function useDrawnEdges() {
  const t = useTexts(stepTexts)
  const { state, edit, tried } = useEditing()
  const { outcomeName } = useStepWords()
  const { keyOf } = useStepKeys()
  const { steps, keys } = state
  const [selected, setSelected] = useState<string | null>(null)
  const edges = useMemo(() => {
    const there = new Set(steps.map(({ id }) => id))
    return steps.flatMap(({ id: source, type, next }) =>
      Object.entries(next).flatMap(([outcome, target]): Edge[] => {
        if (!there.has(target)) return []
        const id = edgeId({ from: source, outcome })
        return [
          {
            ...{ id, source: keyOf(source), target: keyOf(target), sourceHandle: outcome },
            type: 'smoothstep',
            selected: id === selected,
            markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, markerUnits: 'userSpaceOnUse' },
            ...(tried.has(id) && { className: 'jf-edge-tried' }),
            ariaLabel: `${source}: ${t('leadsTo', { outcome: outcomeName(outcome, type), step: target })}`,
          },
        ]
      }),
    )
  }, [steps, keys, tried, selected])
  const onEdgesChange = (changes: EdgeChange[]) => {
    for (const change of changes) {
      if (change.type !== 'select') continue
      const { id, selected: isChosen } = change
      // The library may report a deselection after the new selection.
      setSelected((before) => (isChosen ? id : before === id ? null : before))
      // Delete applies to the last selection.
      if (isChosen) edit({ do: 'select', id: null })
    }
  }
  return [edges, onEdgesChange] as const
}
