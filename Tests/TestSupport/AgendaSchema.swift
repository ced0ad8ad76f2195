internal import Foundation

/// `Docs/agenda.schema.json`, as the jsonschema of PyPI understands it. Its tests need
/// `.requiresPythonPackages`.
public enum AgendaSchema {
  /// A document, and the definition of the schema that it must follow; `nil` for the schema itself.
  public struct Document {
    let definition: String?
    let json: String

    public init(_ definition: String?, _ json: String) {
      self.definition = definition
      self.json = json
    }
  }

  /// What is wrong with the documents.
  public static func problems(of documents: [Document]) throws -> [String] {
    let script = """
      import json, sys, jsonschema
      given = json.load(sys.stdin)
      schema = given["schema"]
      for part, document in given["documents"]:
          whole = dict(schema)
          if part:
              whole = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": "#/$defs/" + part}
          validator = jsonschema.Draft202012Validator(whole)
          for error in validator.iter_errors(json.loads(document)):
              print(part, list(error.absolute_path), error.message[:200])
      print("validated", len(given["documents"]))
      """
    let schema = Repository.root.appendingPathComponent("Docs/agenda.schema.json")
    let given: [String: Any] = [
      "schema": try JSONSerialization.jsonObject(with: Data(contentsOf: schema)),
      "documents": documents.map { [$0.definition ?? "", $0.json] },
    ]
    let input = String(decoding: try JSONSerialization.data(withJSONObject: given), as: UTF8.self)
    let lines = try Python.output(of: ["-c", script], input: input).split(separator: "\n")
    return lines.map(String.init).filter { $0 != "validated \(documents.count)" }
      + (lines.last == "validated \(documents.count)" ? [] : ["not all documents were validated"])
  }
}
