import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on one connection before no more are read from it. */
const mostWaiting = 64;
/** And on all of them, before a connection that has more than its share is cut. */
const mostWaitingInAll = 20_000;

interface Pipeline {
  isBusy: boolean;
  waiting: (() => void)[];
}

/**
 * Handles the requests of one connection one after the other: the next begins when the answer before it has been taken.
 * So a connection never holds more than one answer, however many requests its client sends ahead.
 */
export class Pipelines {
  private readonly pipelines = new WeakMap<Socket, Pipeline>();
  private waitingInAll = 0;

  add({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const pipeline = this.pipelines.get(socket) ?? this.open(socket);
    const begin = (): void => {
      pipeline.isBusy = true;
      // Where it does not finish, the connection is gone.
      response.once("finish", () => this.goOn(socket, pipeline));
      handle();
    };
    if (pipeline.isBusy) this.wait(socket, pipeline, begin);
    else begin();
  }

  private open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { isBusy: false, waiting: [] };
    this.pipelines.set(socket, pipeline);
    socket.once("close", () => this.forget(pipeline));
    // Node reads on after each request.
    socket.on("resume", () => {
      if (pipeline.waiting.length > mostWaiting) socket.pause();
    });
    return pipeline;
  }

  private wait(socket: Socket, pipeline: Pipeline, begin: () => void): void {
    pipeline.waiting.push(begin);
    this.waitingInAll++;
    if (pipeline.waiting.length <= mostWaiting) return;
    if (this.waitingInAll > mostWaitingInAll) socket.destroy();
    else socket.pause();
  }

  private goOn(socket: Socket, pipeline: Pipeline): void {
    pipeline.isBusy = false;
    const next = pipeline.waiting.shift();
    if (next === undefined) return;
    this.waitingInAll--;
    if (pipeline.waiting.length === mostWaiting) socket.resume();
    next();
  }

  private forget(pipeline: Pipeline): void {
    this.waitingInAll -= pipeline.waiting.length;
    pipeline.waiting = [];
  }
}
