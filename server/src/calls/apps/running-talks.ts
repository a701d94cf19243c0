/** The talks of running calls, as the seats in them use them. */
import { AppRefused } from './app-seats.js'
import type { SeatTalk } from './seat-talk.js'

export class RunningTalks implements SeatTalk {
  async dtmf(): Promise<void> {
    await this.later()
  }

  async mute(): Promise<void> {
    await this.later()
  }

  async hold(): Promise<void> {
    await this.later()
  }

  async unhold(): Promise<void> {
    await this.later()
  }

  async transfer(): Promise<void> {
    await this.later()
  }

  private async later(): Promise<never> {
    return Promise.reject(new AppRefused('unavailable', 'is not available yet'))
  }
}
