/** A test call in the browser, from the click to its end. */
import type { components } from '@jackfield/sdk'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../api/errors'
import { AppCall, type AppCallState } from './app-call'
import { MicrophoneError, type MicrophoneProblem, openMicrophone } from './microphone'

export interface TrialCall {
  callId: string
  call: AppCall
}

export type TrialProblem = { microphone: MicrophoneProblem } | { message: string }

interface Trial {
  current: TrialCall | null
  /** Undefined before the first call. */
  state: AppCallState | undefined
  /** Waiting for the microphone or for the call. */
  isStarting: boolean
  problem: TrialProblem | null
  start: (microphoneId: string | undefined) => void
}

const nothingToFollow = () => () => undefined

/** @param make asks the API for the call; the same function as long as the call is of the same thing */
export function useTrialCall(make: () => Promise<components['schemas']['MadeAppCall']>): Trial {
  const [current, setCurrent] = useState<TrialCall | null>(null)
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<TrialProblem | null>(null)
  const isGone = useRef(false)
  const last = useRef<AppCall | null>(null)
  const state = useSyncExternalStore(current?.call.subscribe ?? nothingToFollow, () => current?.call.state)

  useEffect(() => {
    isGone.current = false
    const leave = () => last.current?.close()
    // A test call is not resumed after a reload: end it, or the agent keeps talking.
    window.addEventListener('pagehide', leave)
    return () => {
      isGone.current = true
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  const start = useCallback(
    (microphoneId: string | undefined) => {
      const begin = async () => {
        // Open the microphone first: the call waits only 30 seconds for its app.
        const sound = await openMicrophone(microphoneId)
        const stop = () => sound.getTracks().forEach((track) => track.stop())
        if (isGone.current) {
          stop()
          return
        }
        try {
          const made = await make()
          if (isGone.current) {
            stop()
            return
          }
          const call = (last.current = new AppCall(made, sound, {
            reopen: async () => openMicrophone(microphoneId),
          }))
          setCurrent({ callId: made.call_id, call })
        } catch (error) {
          stop()
          throw error
        }
      }
      setProblem(null)
      setStarting(true)
      begin()
        .catch((error: unknown) => {
          setProblem(
            error instanceof MicrophoneError ? { microphone: error.problem } : { message: messageOf(error) },
          )
        })
        .finally(() => setStarting(false))
    },
    [make],
  )
  return { current, state, isStarting, problem, start }
}
