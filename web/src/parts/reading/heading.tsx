import { createElement, type ComponentChildren } from "preact";

interface HeadingProps {
  readonly level: number;
  readonly id?: string;
  readonly children: ComponentChildren;
}

const deepest = 6;

/** A heading whose level depends on where the text is shown. With an id it can be led to. */
export const Heading = ({ level, id, children }: HeadingProps) =>
  createElement(`h${Math.min(deepest, level)}`, id === undefined ? {} : { id, tabIndex: -1 }, children);
