/** The drawing of a flow. What is drawn follows from its steps; what is done to the drawing is an edit of those. */
import '@xyflow/react/dist/style.css'
import './flow-canvas.css'
import { useComputedColorScheme } from '@mantine/core'
import {
  Background,
  Controls,
  type Edge,
  type EdgeChange,
  MarkerType,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  type Viewport,
  applyNodeChanges,
  useReactFlow,
} from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../editor-texts'
import { type Point, cardWidth, heightOf, placesOf } from '../model/layout'
import { type Step, startType } from '../model/steps'
import { edgeId, summaryOf, useEditing, useStepWords } from './editing'
import { type DrawnStep, StepCard } from './step-card'

const firstZoom = 0.9

const nodeTypes = { step: StepCard }

export function FlowCanvas() {
  return (
    <ReactFlowProvider>
      <Drawing />
    </ReactFlowProvider>
  )
}

function Drawing() {
  const t = useTexts(editorTexts)
  const { state, edit, addStep } = useEditing()
  const scheme = useComputedColorScheme('light')
  const { screenToFlowPosition } = useReactFlow()
  const [nodes, setNodes] = useDrawnSteps()
  const [edges, onEdgesChange] = useDrawnEdges()
  const places = useMemo(() => placesOf(state.steps), [state.steps])
  useSelectedInView(places)
  const [firstView] = useState(() => viewOf(state.steps, places))

  const onNodesChange = (changes: NodeChange<DrawnStep>[]) => {
    setNodes((before) =>
      applyNodeChanges(
        changes.filter(({ type }) => type !== 'remove'),
        before,
      ),
    )
    for (const change of changes) {
      if (change.type === 'select' && change.selected) edit({ do: 'select', id: change.id })
    }
    const moved = changes.flatMap((change) => {
      if (change.type !== 'position' || change.dragging || !change.position) return []
      const before = places.get(change.id)
      const isThere =
        before?.x === Math.round(change.position.x) && before.y === Math.round(change.position.y)
      return isThere ? [] : [[change.id, change.position] as const]
    })
    // The others stay where they are seen, whether somebody has put them there or not.
    if (moved.length > 0) edit({ do: 'move', positions: new Map([...places, ...moved]) })
  }

  return (
    <div className="jf-flow">
      <ReactFlow<DrawnStep>
        aria-label={t('steps')}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        defaultViewport={firstView}
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.2}
        maxZoom={1.5}
        deleteKeyCode={['Delete', 'Backspace']}
        multiSelectionKeyCode={null}
        selectionKeyCode={null}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onPaneClick={() => edit({ do: 'select', id: null })}
        onDelete={({ nodes: gone, edges: cut }) => {
          if (gone.length > 0) {
            edit({ do: 'remove', ids: gone.map(({ id }) => id) })
            return
          }
          for (const { source, sourceHandle } of cut) {
            if (sourceHandle) edit({ do: 'connect', at: { from: source, outcome: sourceHandle }, to: null })
          }
        }}
        onConnect={({ source, sourceHandle, target }) => {
          if (sourceHandle) edit({ do: 'connect', at: { from: source, outcome: sourceHandle }, to: target })
        }}
        onConnectEnd={(event, { isValid, fromNode, fromHandle }) => {
          if (isValid || !fromNode || fromHandle?.type !== 'source' || !fromHandle.id) return
          const point = 'changedTouches' in event ? event.changedTouches[0] : event
          if (!point) return
          const { x, y } = screenToFlowPosition({ x: point.clientX, y: point.clientY })
          addStep({ from: fromNode.id, outcome: fromHandle.id }, { x, y: y - 28 })
        }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

/** A drawing is read from its start, in a size in which it can be read. */
function viewOf(steps: readonly Step[], places: ReadonlyMap<string, Point>): Viewport {
  const start = steps.find(({ type }) => type === startType)
  const { x, y } = places.get(start?.id ?? '') ?? { x: 0, y: 0 }
  return { x: 32 - x * firstZoom, y: 48 - y * firstZoom, zoom: firstZoom }
}

/** The steps as the drawing has them, with what it has measured of those that were there before. */
function useDrawnSteps() {
  const { state, names } = useEditing()
  const { typeName } = useStepWords()
  const { steps, selected } = state
  const drawn = useMemo(() => {
    const places = placesOf(steps)
    return steps.map((step): DrawnStep => ({
      id: step.id,
      type: 'step',
      position: places.get(step.id) ?? { x: 0, y: 0 },
      data: { step },
      selected: step.id === selected,
      deletable: step.type !== startType,
      ariaLabel: [typeName(step.type), step.id, summaryOf(step, names[step.id])].filter(Boolean).join(', '),
      initialWidth: cardWidth,
      initialHeight: heightOf(step),
    }))
  }, [steps, selected, names])
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

/** The edges, and what is done to them; which one is chosen matters to the drawing alone. */
function useDrawnEdges() {
  const t = useTexts(editorTexts)
  const { state, tried } = useEditing()
  const { outcomeName } = useStepWords()
  const { steps } = state
  const [selected, setSelected] = useState<string | null>(null)
  const edges = useMemo(() => {
    const there = new Set(steps.map(({ id }) => id))
    return steps.flatMap(({ id: source, type, next }) =>
      Object.entries(next).flatMap(([outcome, target]): Edge[] => {
        if (!there.has(target)) return []
        const id = edgeId({ from: source, outcome })
        return [
          {
            ...{ id, source, target, sourceHandle: outcome, type: 'smoothstep' },
            selected: id === selected,
            markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18 },
            ...(tried.has(id) && { className: 'jf-edge-tried' }),
            ariaLabel: `${source}: ${t('leadsTo', { outcome: outcomeName(outcome, type), step: target })}`,
          },
        ]
      }),
    )
  }, [steps, tried, selected])
  const onEdgesChange = (changes: EdgeChange[]) => {
    for (const change of changes) {
      if (change.type === 'select') setSelected(change.selected ? change.id : null)
    }
  }
  return [edges, onEdgesChange] as const
}

/** A step that was added, or chosen elsewhere, is brought into view. */
function useSelectedInView(places: ReadonlyMap<string, Point>): void {
  const { state } = useEditing()
  const { setCenter, getViewport } = useReactFlow()
  const { selected } = state
  const place = useRef(places)
  place.current = places
  useEffect(() => {
    const at = selected === null ? undefined : place.current.get(selected)
    const pane = document.querySelector('.jf-flow')?.getBoundingClientRect()
    if (!at || !pane) return
    const { x, y, zoom } = getViewport()
    const [left, top] = [at.x * zoom + x, at.y * zoom + y]
    const isSeen =
      left >= 0 && top >= 0 && left + cardWidth * zoom <= pane.width && top + 140 * zoom <= pane.height
    if (isSeen) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    void setCenter(at.x + cardWidth / 2, at.y + 100, { zoom, duration: isCalm ? 0 : 200 })
  }, [selected, setCenter, getViewport])
}
