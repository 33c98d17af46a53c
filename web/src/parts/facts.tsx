import type { ComponentChildren } from "preact";

/** What is known of something, by name; as many beside each other as there is room for. */
export const Facts = ({ children }: { readonly children: ComponentChildren }) => <dl class="facts">{children}</dl>;

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One of {@link Facts}. */
export const Fact = ({ name, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
