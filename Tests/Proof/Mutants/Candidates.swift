// Lists the changes that the part `mutants` of the proof can make to Swift files, one JSON object per
// line:
//
//     Candidates FILE…
//
// `start` and `end` are the bytes of the code that is replaced, `statement` is where the innermost
// statement around it begins, and `function` has the lines of the declaration around it.

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

struct Candidate: Encodable {
  let file: String
  let line: Int
  let start: Int
  let end: Int
  let statement: Int
  let function: [Int]
  /// `comparison`, `arithmetic`, `logic`, `number`, `boolean`, `condition`, `statement` or `arguments`.
  let kind: String
  /// How the change is switched on at run time: `choice` between two expressions, `negation`,
  /// `removal` of a statement, or `branch` between two statements.
  let form: String
  let before: String
  let after: String
}

final class Candidates: SyntaxVisitor {
  private(set) var found: [Candidate] = []
  private let file: String
  private let positions: SourceLocationConverter

  init(file: String, tree: SourceFileSyntax) {
    self.file = file
    positions = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  private static let operators: [String: (kind: String, other: String)] = [
    "<": ("comparison", "<="), "<=": ("comparison", "<"), ">": ("comparison", ">="),
    ">=": ("comparison", ">"), "==": ("comparison", "!="), "!=": ("comparison", "=="),
    "===": ("comparison", "!=="), "!==": ("comparison", "==="), "+": ("arithmetic", "-"),
    "-": ("arithmetic", "+"), "*": ("arithmetic", "/"), "/": ("arithmetic", "*"),
    "%": ("arithmetic", "/"), "&+": ("arithmetic", "&-"), "&-": ("arithmetic", "&+"),
    "&": ("arithmetic", "|"), "|": ("arithmetic", "&"), "<<": ("arithmetic", ">>"),
    ">>": ("arithmetic", "<<"), "&&": ("logic", "||"), "||": ("logic", "&&"),
  ]
  private static let assignments = ["+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|="]
  /// What these check cannot happen, and `reserveCapacity` only saves time, so a change in them changes
  /// nothing.
  private static let assertions: Set = [
    "precondition", "assert", "fatalError", "preconditionFailure", "assertionFailure",
  ]
  /// Their arguments mean the same in any order.
  private static let symmetric: Set = ["min", "max", "Swift.min", "Swift.max"]

  // MARK: - What stays as it is

  override func visit(_: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  // MARK: - Expressions

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator else {
      return .visitChildren
    }
    if let (kind, other) = Self.operators[symbol.text], !isText(node) {
      add(kind, "choice", node, replacing: symbol, with: other)
    }
    if let other = Self.assignments[symbol.text], !isText(node),
      node.parent?.is(CodeBlockItemSyntax.self) == true, !isValue(node.parent)
    {
      add("arithmetic", "branch", node, replacing: symbol, with: other)
    }
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard let value = node.representedLiteralValue, value < 1 << 40 else { return .visitChildren }
    add("number", "choice", node, after: String(value + 1))
    if value > 0 { add("number", "choice", node, after: String(value - 1)) }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add("boolean", "negation", node, after: node.literal.text == "true" ? "false" : "true")
    return .visitChildren
  }

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { negate(condition) }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  private func negate(_ condition: ExprSyntax) {
    guard !condition.is(BooleanLiteralExprSyntax.self) else { return }
    add("condition", "negation", condition, after: "!(\(condition.trimmedDescription))")
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledExpression.trimmedDescription
    if isWithoutEffect(name) { return .skipChildren }
    guard !name.hasSuffix(".init"), !Self.symmetric.contains(name), node.trailingClosure == nil
    else { return .visitChildren }
    let arguments = Array(node.arguments)
    for (left, right) in zip(arguments, arguments.dropFirst()) {
      let (one, two) = (left.expression, right.expression)
      guard form(of: one) == form(of: two), form(of: one) != nil,
        one.trimmedDescription != two.trimmedDescription
      else { continue }
      add(
        "arguments", "choice", node,
        after: text(
          of: node, replacing: [(one, two.trimmedDescription), (two, one.trimmedDescription)]))
    }
    return .visitChildren
  }

  private func isWithoutEffect(_ name: String) -> Bool {
    Self.assertions.contains(name) || name.hasSuffix("reserveCapacity")
  }

  /// Arguments of different forms have different types, so swapping them would not compile.
  private func form(of argument: ExprSyntax) -> String? {
    if argument.is(ClosureExprSyntax.self) || argument.is(InOutExprSyntax.self) { return nil }
    if argument.is(NilLiteralExprSyntax.self) { return nil }
    if argument.is(StringLiteralExprSyntax.self) { return "text" }
    if argument.is(BooleanLiteralExprSyntax.self) { return "boolean" }
    if argument.is(ArrayExprSyntax.self) || argument.is(DictionaryExprSyntax.self) {
      return "collection"
    }
    if let member = argument.as(MemberAccessExprSyntax.self), member.base == nil { return nil }
    return "other"
  }

  /// A sum of texts is no sum of numbers.
  private func isText(_ node: InfixOperatorExprSyntax) -> Bool {
    let operators = node.tokens(viewMode: .sourceAccurate).filter {
      if case .binaryOperator = $0.tokenKind { true } else { false }
    }
    // The type checker needs too long for twice as much.
    if operators.count > 8 { return true }
    return [node.leftOperand, node.rightOperand].contains {
      $0.is(StringLiteralExprSyntax.self) || $0.is(ArrayExprSyntax.self)
    }
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    switch node.item {
    case .expr(let expression):
      if canRemove(expression), !isValue(Syntax(node)) { remove(node) }
    case .stmt(let statement):
      if statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
        || statement.is(ContinueStmtSyntax.self) || statement.is(BreakStmtSyntax.self),
        isLeft(node)
      {
        remove(node)
      }
    default: break
    }
    return .visitChildren
  }

  private func remove(_ node: CodeBlockItemSyntax) { add("statement", "removal", node, after: "") }

  private func canRemove(_ expression: ExprSyntax) -> Bool {
    if let attempt = expression.as(TryExprSyntax.self) { return canRemove(attempt.expression) }
    if let wait = expression.as(AwaitExprSyntax.self) { return canRemove(wait.expression) }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      let name = call.calledExpression.trimmedDescription
      return !isWithoutEffect(name) && !name.hasSuffix(".init")
    }
    guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
    if infix.operator.is(AssignmentExprSyntax.self) {
      // An initializer gives each member its value.
      if infix.leftOperand.is(DiscardAssignmentExprSyntax.self) { return false }
      return ancestor(of: infix, is: InitializerDeclSyntax.self) == nil
    }
    return infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
  }

  /// Whether the only statement of a block is its value, as in a getter.
  private func isValue(_ node: Syntax?) -> Bool {
    guard let item = node, let list = item.parent?.as(CodeBlockItemListSyntax.self) else {
      return false
    }
    guard list.count == 1, var owner = list.parent else { return false }
    if owner.is(CodeBlockSyntax.self), let parent = owner.parent { owner = parent }
    if let function = owner.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    if let accessor = owner.as(AccessorDeclSyntax.self) {
      return accessor.accessorSpecifier.text == "get"
    }
    if owner.is(ClosureExprSyntax.self) || owner.is(AccessorBlockSyntax.self) { return true }
    if owner.is(SwitchCaseSyntax.self) {
      return isValueBranch(owner.parent?.parent)
    }
    if owner.is(IfExprSyntax.self) { return isValueBranch(owner) }
    return false
  }

  /// Whether `if` or `switch` is an expression whose value is used.
  private func isValueBranch(_ node: Syntax?) -> Bool {
    guard let parent = node?.parent else { return true }
    if parent.is(IfExprSyntax.self) { return isValueBranch(parent) }
    guard parent.is(ExpressionStmtSyntax.self), let item = parent.parent else { return true }
    return isValue(item)
  }

  /// Whether the code goes on without a statement that leaves the block of an `if`.
  private func isLeft(_ node: CodeBlockItemSyntax) -> Bool {
    guard let block = node.parent?.parent?.as(CodeBlockSyntax.self),
      let branch = block.parent?.as(IfExprSyntax.self), branch.elseBody == nil,
      let item = branch.parent?.parent?.as(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self)
    else { return false }
    return list.last?.id != item.id
      || list.parent?.parent.map { $0.is(ForStmtSyntax.self) || $0.is(WhileStmtSyntax.self) }
        == true
  }

  // MARK: - The list

  private func ancestor<Node: SyntaxProtocol>(
    of node: some SyntaxProtocol, is kind: Node.Type
  ) -> Node? {
    var node = node.parent
    while let current = node {
      if let found = current.as(kind) { return found }
      if current.is(FunctionDeclSyntax.self) || current.is(ClosureExprSyntax.self) { return nil }
      node = current.parent
    }
    return nil
  }

  private func text(of node: some SyntaxProtocol, replacing parts: [(ExprSyntax, String)]) -> String
  {
    var bytes = Array(node.trimmedDescription.utf8)
    let begin = node.positionAfterSkippingLeadingTrivia.utf8Offset
    for (part, other) in parts.reversed() {
      let start = part.positionAfterSkippingLeadingTrivia.utf8Offset - begin
      let end = part.endPositionBeforeTrailingTrivia.utf8Offset - begin
      bytes.replaceSubrange(start..<end, with: other.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func add(
    _ kind: String, _ form: String, _ node: some SyntaxProtocol, replacing token: TokenSyntax,
    with other: String
  ) {
    var bytes = Array(node.trimmedDescription.utf8)
    let begin = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let start = token.positionAfterSkippingLeadingTrivia.utf8Offset - begin
    bytes.replaceSubrange(start..<start + token.text.utf8.count, with: other.utf8)
    add(kind, form, node, after: String(decoding: bytes, as: UTF8.self))
  }

  private func add(_ kind: String, _ form: String, _ node: some SyntaxProtocol, after: String) {
    let start = node.positionAfterSkippingLeadingTrivia
    var statement = start
    var function = 0...0
    var current = Syntax(node)
    var isInStatement = false
    while true {
      if !isInStatement,
        current.is(CodeBlockItemSyntax.self) || current.is(MemberBlockItemSyntax.self)
      {
        statement = current.positionAfterSkippingLeadingTrivia
        isInStatement = true
      }
      if current.parent?.is(MemberBlockItemSyntax.self) == true
        || current.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
      {
        let end = current.endPositionBeforeTrailingTrivia
        function =
          positions.location(
            for: current.positionAfterSkippingLeadingTrivia
          ).line...positions.location(for: end).line
        break
      }
      guard let parent = current.parent else { break }
      current = parent
    }
    found.append(
      Candidate(
        file: file, line: positions.location(for: start).line, start: start.utf8Offset,
        end: node.endPositionBeforeTrailingTrivia.utf8Offset, statement: statement.utf8Offset,
        function: [function.lowerBound, function.upperBound], kind: kind, form: form,
        before: node.trimmedDescription, after: after))
  }
}

@main
enum Main {
  static func main() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for file in CommandLine.arguments.dropFirst() {
      let parsed = Parser.parse(source: try String(contentsOfFile: file, encoding: .utf8))
      let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
      let tree = folded.as(SourceFileSyntax.self) ?? parsed
      let candidates = Candidates(file: file, tree: tree)
      candidates.walk(tree)
      for candidate in candidates.found {
        FileHandle.standardOutput.write(try encoder.encode(candidate) + Data("\n".utf8))
      }
    }
  }
}
